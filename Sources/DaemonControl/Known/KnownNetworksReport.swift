public import WiFi

/// A request about known networks and what came of it, for a program.
public struct KnownNetworksReport: Hashable, Sendable {
  /// What was asked.
  public var request: KnownNetworkRequest
  /// The interface; empty where none was needed.
  public var interface: String
  /// Over which daemon; `nil` where none was found.
  public var daemon: JoinDaemon?
  /// What came of it.
  public var outcome: KnownNetworksOutcome

  /// Makes a report of its parts.
  public init(_ request: KnownNetworkRequest, interface: String, over daemon: JoinDaemon?, outcome: KnownNetworksOutcome) {
    self.request = request
    self.interface = interface
    self.daemon = daemon
    self.outcome = outcome
  }

  /// One JSON object of schema `wifi-harness/known/1`, with a line end; never a password.
  public func json() -> [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("schema", "wifi-harness/known/1")
      fields.field("request", request.name)
      fields.field("interface", interface)
      if let daemon { fields.field("via", daemon.rawValue) } else { fields.fieldNull("via") }
      switch outcome {
      case .success(let answer):
        if let changed = answer.changed {
          fields.object("changed") { $0.describe(changed) }
          fields.field("saved", answer.isSaved)
        }
        fields.objects("networks", answer.networks) { $0.describe($1) }
      case .failure(let error):
        fields.object("failure") { fields in
          fields.field("reason", error.name)
          fields.field("sentence", error.description)
        }
      }
    }
  }
}

extension FieldWriter {
  fileprivate mutating func describe(_ id: KnownNetwork.ID) {
    field("id", id.key)
    field("ssid", id.ssid.description)
    field("ssidHex", hex: id.ssid.bytes)
  }

  fileprivate mutating func describe(_ network: KnownNetwork) {
    describe(network.id)
    field("security", network.security.rawValue)
    if let priority = network.priority { field("priority", priority) } else { fieldNull("priority") }
    field("autoconnect", network.joinsAutomatically)
    field("hidden", network.isHidden)
    field("joined", network.isJoined)
    if let isInRange = network.isInRange { field("inRange", isInRange) } else { fieldNull("inRange") }
  }
}

extension KnownNetworkRequest {
  /// A name for programs, the same in every version, such as `add`.
  public var name: String {
    switch self {
    case .list: "list"
    case .add: "add"
    case .edit: "edit"
    case .duplicate: "duplicate"
    case .forget: "forget"
    }
  }
}
