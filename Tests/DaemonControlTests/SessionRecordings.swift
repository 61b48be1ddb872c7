import DaemonControl
import DaemonProtocols
import Foundation
import WiFi

extension SessionProperties {
  /// All conversations of `fixtures/joins` and `fixtures/known`.
  static func recorded() throws -> [Conversation] {
    let joins = try RecordedJoin.all.map { join in
      Conversation(name: join.name, recording: try RecordedJoin.recording(join.name), request: join.request)
    }
    let folder = RecordedJoin.folder.deletingLastPathComponent().appending(path: "known")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".control") }
    return try joins
      + names.sorted().map { name in
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return Conversation(name: String(name.dropLast(8)), recording: try ControlRecording(text))
      }
  }
}
