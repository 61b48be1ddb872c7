public import WiFi

/// The radio of a machine after a request, for a program.
public struct RadioReport: Hashable, Sendable {
  /// A switch of the kernel (rfkill).
  public struct Switch: Hashable, Sendable {
    /// Such as `phy0`.
    public var name: String
    /// Whether a program keeps the radio off.
    public var isSoftBlocked: Bool
    /// Whether a switch of the machine does, which no program can move.
    public var isHardBlocked: Bool

    /// Makes the state of a switch.
    public init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
      self.name = name
      self.isSoftBlocked = isSoftBlocked
      self.isHardBlocked = isHardBlocked
    }
  }

  /// The daemon that was asked; `nil` where none has a switch.
  public var daemon: JoinDaemon?
  /// Whether Wi-Fi is on there.
  public var isOn: Bool?
  /// The switches of the kernel.
  public var switches: [Switch] = []

  /// A report of no daemon and no switch.
  public init() {}

  /// A line for the daemon and one for each switch, without what a terminal would obey.
  public var lines: [String] {
    (daemon.map { ["\($0.name): \(isOn == true ? "on" : "off")"] } ?? [])
      + switches.map { item in
        let state = item.isHardBlocked ? "off, by a switch of the machine" : item.isSoftBlocked ? "off" : "on"
        return "rfkill \(PrintableText.escape(item.name)): \(state)"
      }
  }

  /// One JSON object of schema `wifi-harness/radio/1`, with a line end.
  public func json() -> [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("schema", "wifi-harness/radio/1")
      if let daemon { fields.field("via", daemon.rawValue) }
      if let isOn { fields.field("isOn", isOn) }
      fields.objects("switches", switches) { fields, item in
        fields.field("name", item.name)
        fields.field("isSoftBlocked", item.isSoftBlocked)
        fields.field("isHardBlocked", item.isHardBlocked)
      }
    }
  }
}
