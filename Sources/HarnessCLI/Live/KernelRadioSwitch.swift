#if os(Linux)
  import DaemonControl
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

    /// Looks once a second, as no other program reports it.
    func followRadio(_ take: (Bool) async -> Void) async {
      repeat {
        let switches = RFKill.switches()
        if !switches.isEmpty { await take(!switches.contains { $0.isSoftBlocked || $0.isHardBlocked }) }
        do { try await ContinuousClock().sleep(for: .seconds(1)) } catch { return }
      } while !Task.isCancelled
    }
  }
#endif
