/// One event of a stream of server-sent events (HTML Living Standard 9.2).
public struct ServerSentEvent: Hashable, Sendable {
  /// Its type.
  public var name: String
  /// Its number, which a client gives back when it comes again.
  public var id: Int
  /// Its data: one line of text.
  public var data: [UInt8]
  /// What it is for a client that may only read, where that is less.
  var openData: [UInt8]?

  /// Makes an event from its parts.
  ///
  /// - Precondition: neither name nor data has a line end.
  public init(name: String, id: Int, data: [UInt8], openData: [UInt8]? = nil) {
    for data in [data, openData ?? []] {
      precondition(!data.contains { $0 == 0x0A || $0 == 0x0D }, "ServerSentEvent: data of more than one line")
    }
    precondition(!name.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "ServerSentEvent: name of more than one line")
    self.name = name
    self.id = id
    self.data = data
    self.openData = openData
  }

  /// The bytes on the wire.
  public var bytes: [UInt8] { bytes(data) }

  /// The bytes on the wire for a client that may only read.
  public var openBytes: [UInt8] { bytes(openData ?? data) }

  private func bytes(_ data: [UInt8]) -> [UInt8] {
    var bytes = Array("id: \(id)\nevent: \(name)\ndata: ".utf8)
    bytes.reserveCapacity(bytes.count + data.count + 2)
    bytes += data
    bytes += [0x0A, 0x0A]
    return bytes
  }

  /// A comment, which a client skips: it shows both sides that the other one is there.
  public static let heartbeat: [UInt8] = Array(":\n\n".utf8)
}
