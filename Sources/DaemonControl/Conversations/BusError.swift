import DaemonProtocols
import WiFi

extension DBusMessage {
  /// What the bus says of the owner of a name (`NameOwnerChanged`); empty where there was or is none.
  var changeOfOwner: (name: String, old: String, new: String)? {
    guard kind == .signal, sender == SystemBus.service, member == "NameOwnerChanged", body.count == 3, let name = body[0].text,
      let old = body[1].text, let new = body[2].text
    else { return nil }
    return (name, old, new)
  }

  /// Whether the bus says that who owned the name `service` does not any more: its daemon is gone, even where another
  /// takes its place at once.
  func isLoss(of service: String) -> Bool {
    changeOfOwner.map { $0.name == service && ($0.new.isEmpty || !$0.old.isEmpty && $0.old != $0.new) } ?? false
  }
}

extension DBusMessage {
  /// Whether it is NetworkManager's error for an object that is not there any more.
  var isOfNoObject: Bool { [SystemBus.ErrorName.unknownMethod, SystemBus.ErrorName.unknownObject].contains(errorName) }

  /// The objects of iwd and their interfaces, in an answer to `GetManagedObjects`; `nil` where it lists none.
  var objects: [(path: DBusObjectPath, interfaces: DBusValue)]? {
    guard case .array(_, let entries)? = body.first?.unwrapped else { return nil }
    return entries.compactMap { if case .dictionaryEntry(.objectPath(let path), let interfaces) = $0 { (path, interfaces) } else { nil } }
  }
}

extension DBusValue {
  /// Whether the interfaces of an object of iwd say that it is the device of a network interface.
  func isDevice(of interface: String) -> Bool { self[IWDBus.deviceInterface]?["Name"]?.text == interface }
}

/// What the errors mean that every daemon on the bus may answer with.
enum BusError {
  /// Why an answer of iwd's without objects is of no use.
  static let noObjects = JoinFailure.Reason.daemonRefused("it does not list its objects")

  /// The reason that every daemon's answers may have in common.
  static func reason(_ message: DBusMessage) -> JoinFailure.Reason {
    let name = message.errorName ?? ""
    let words = PrintableText.escape(message.body.first?.text ?? name)
    if name == SystemBus.ErrorName.unknownService || name == SystemBus.ErrorName.nameHasNoOwner
      || name.hasPrefix(SystemBus.ErrorName.spawnPrefix)
    {
      return .noDaemon
    }
    if name == SystemBus.ErrorName.accessDenied || name.hasSuffix(".PermissionDenied") { return .noPermission }
    if name == SystemBus.ErrorName.noReply { return .daemonLost }
    return .daemonRefused(words)
  }

  /// An error as evidence has it.
  static func line(_ message: DBusMessage) -> String {
    let words = message.body.first?.text.map { ": \(PrintableText.escape($0))" } ?? ""
    return (message.errorName ?? "error") + words
  }
}
