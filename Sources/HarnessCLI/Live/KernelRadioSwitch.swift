#if os(Linux)
  import Harness
  import WiFi

  /// The kernel's radio switches of wireless LANs (rfkill).
  final class KernelRadioSwitch: RadioSwitch {
    func setRadio(on isOn: Bool) async throws(RadioError) {
      do throws(Failure) { try RFKill.set(isBlocked: !isOn) } catch {
        switch error.status {
        case .noPermission: throw .notPermitted
        case .unavailable: throw .noSwitch
        default: throw .refused(error.sentence)
        }
      }
      if isOn, RFKill.switches().contains(where: \.isHardBlocked) { throw .blockedByHardware }
    }

    /// Polls every second, as no other program reports it; a switch that is on at first is the daemon's to report.
    func followRadio(_ take: (Bool) -> Void) async {
      var before: Bool? = true
      while !Task.isCancelled {
        let switches = RFKill.switches()
        let isOn = switches.isEmpty ? nil : !switches.contains { $0.isSoftBlocked || $0.isHardBlocked }
        if let isOn, isOn != before { take(isOn) }
        before = isOn ?? before
        do { try await ContinuousClock().sleep(for: .seconds(1)) } catch { return }
      }
    }
  }
#endif
