public import WiFi

/// Why a scan gave nothing: what happened, to what, and what to do next.
public struct ScanError: Error, Hashable, Sendable {
  /// What happened.
  public var kind: Kind
  /// The interface that was to scan, where one was named or chosen.
  public var interface: String?
  /// What the kernel answered, where it did.
  public var kernel: KernelError?

  /// Makes an error from its parts.
  public init(_ kind: Kind, interface: String? = nil, kernel: KernelError? = nil) {
    self.kind = kind
    self.interface = interface
    self.kernel = kernel
  }

  /// What can keep a scan from giving anything.
  public enum Kind: Hashable, Sendable {
    /// The kernel has no nl80211: no wireless driver is loaded.
    case noWireless
    /// No adapter has an interface that scans.
    case noAdapter
    /// No wireless interface has this name.
    case noSuchInterface
    /// The adapter or its interface went away.
    case adapterRemoved
    /// The interface is down (`ENETDOWN`).
    case interfaceDown
    /// A radio switch keeps the interface down.
    case rfkill
    /// The caller may not scan (`EPERM`).
    case notPermitted
    /// Another program scans and does not end (`EBUSY`).
    case busy
    /// The kernel refuses to leave the channel although no program scans (`EBUSY`).
    case channelBusy
    /// The interface cannot scan in what it does now (`EOPNOTSUPP`).
    case notSupported
    /// The kernel refuses what the request asks for (`EINVAL`).
    case invalidRequest
    /// The kernel did not answer in time.
    case noAnswer(String)
    /// The link broke.
    case link(LinkError)
    /// The caller no longer wanted the result.
    case cancelled
    /// The kernel answered with an error that has no sentence of its own.
    case kernel
  }
}

extension ScanError: CustomStringConvertible {
  /// One or two sentences: what happened, to what, what to do next.
  public var description: String {
    let name = interface ?? "the interface"
    let reason = kernel?.message.map { " The kernel says: \($0)." } ?? ""
    switch kind {
    case .noWireless:
      return "This system has no wireless driver loaded: the kernel knows no nl80211. Load the adapter's driver, or plug one in."
    case .noAdapter:
      return "No wireless adapter has an interface that can scan. Plug one in, or look with `wifi-harness doctor`."
    case .noSuchInterface:
      return "There is no wireless interface \(name). `wifi-harness doctor` lists those that there are."
    case .adapterRemoved:
      return "\(name) went away: the adapter or its interface was removed."
    case .interfaceDown:
      return "\(name) is down. Bring it up with `ip link set \(name) up`."
    case .rfkill:
      return "\(name) is switched off by rfkill. Switch it on with `rfkill unblock wifi`, or with the switch on the device."
    case .notPermitted:
      return
        "Starting a scan on \(name) needs the capability CAP_NET_ADMIN. Run it as root, or give the program the capability with "
        + "`setcap cap_net_admin+ep` on its file; `--cached` shows what the kernel heard before and needs none."
    case .busy:
      return "\(name) is busy: another program scans and did not end in time. Try again later, or use its results with `--cached`."
    case .channelBusy:
      return
        "\(name) may not leave its channel now: no other program scans, but the kernel refuses (a radar check, a connection "
        + "being made, or an access point on a radar channel). Try again later, or use `--cached`.\(reason)"
    case .notSupported:
      return "\(name) cannot scan in what it does now (as an access point or monitor). Use an interface of type managed.\(reason)"
    case .invalidRequest:
      return
        "The kernel refuses this scan on \(name): a frequency that the adapter does not have or may not use, too many "
        + "SSIDs, or an option that the driver does not know.\(reason) `wifi-harness doctor` lists what it can do."
    case .noAnswer(let what):
      return "The kernel did not answer in time when asked for \(what) on \(name). Try again; the driver may hang."
    case .link(let error):
      return "The talk with the kernel broke: \(error)."
    case .cancelled:
      return "The scan on \(name) was cancelled."
    case .kernel:
      return "The kernel refused on \(name) with \(kernel?.name ?? "an error").\(reason)"
    }
  }

  /// The error for what the kernel answered to a request about a scan.
  static func of(_ kernel: KernelError, interface: String?) -> ScanError {
    let kind: Kind =
      switch kernel.number {
      case KernelError.Number.notPermitted, KernelError.Number.accessDenied: .notPermitted
      case KernelError.Number.networkDown: .interfaceDown
      case KernelError.Number.rfkill: .rfkill
      case KernelError.Number.noDevice: .adapterRemoved
      case KernelError.Number.busy: .busy
      case KernelError.Number.notSupported: .notSupported
      case KernelError.Number.invalid, KernelError.Number.range: .invalidRequest
      default: .kernel
      }
    return ScanError(kind, interface: interface, kernel: kernel)
  }
}
