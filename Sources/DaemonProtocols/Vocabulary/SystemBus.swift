/// Names of the system bus itself (D-Bus Specification 0.43).
package enum SystemBus {
  package static let service = "org.freedesktop.DBus"
  package static let path = DBusObjectPath(literal: "/org/freedesktop/DBus")
  package static let propertiesInterface = "org.freedesktop.DBus.Properties"
  package static let objectManagerInterface = "org.freedesktop.DBus.ObjectManager"

  /// Errors that every daemon on the bus may answer with.
  package enum ErrorName {
    package static let unknownService = "org.freedesktop.DBus.Error.ServiceUnknown"
    package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    package static let notFound = "org.freedesktop.DBus.Error.NotFound"
    package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    package static let spawnPrefix = "org.freedesktop.DBus.Error.Spawn."
  }

  /// The rule that reports when a name on the bus gets another owner.
  package static func ownerRule(_ service: String) -> String {
    "type='signal',sender='\(self.service)',member='NameOwnerChanged',arg0='\(service)'"
  }
}

extension DBusObjectPath {
  /// A path that stands in the source.
  package init(literal text: StaticString) {
    guard let path = DBusObjectPath("\(text)") else { preconditionFailure("DBusObjectPath: \(text)") }
    self = path
  }
}
