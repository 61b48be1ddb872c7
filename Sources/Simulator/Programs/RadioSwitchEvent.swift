import WiFi

/// What a program reads from `/dev/rfkill` and writes to it (`struct rfkill_event`, 8 bytes).
struct RadioSwitchEvent: Hashable {
  /// The number of the switch.
  var index: UInt32
  /// What it switches (`RFKILL_TYPE_ALL`, `RFKILL_TYPE_WLAN`).
  var type: UInt8
  var operation: Operation
  /// Whether software blocks the radio.
  var isBlocked: Bool

  /// `enum rfkill_operation`.
  enum Operation: UInt8 {
    case add, remove, change, changeAll
  }

  static let wlan: UInt8 = 1

  init(_ operation: Operation, index: UInt32, isBlocked: Bool) {
    self.operation = operation
    self.index = index
    self.isBlocked = isBlocked
    type = Self.wlan
  }

  /// Reads what a program wrote; newer ones write a byte more (`struct rfkill_event_ext`).
  init?(parsing bytes: [UInt8]) {
    var cursor = ByteCursor(bytes)
    guard let index = try? cursor.readUInt32(), let type = try? cursor.readUInt8(), let number = try? cursor.readUInt8(),
      let operation = Operation(rawValue: number), let soft = try? cursor.readUInt8(), (try? cursor.readUInt8()) != nil
    else { return nil }
    self.index = index
    self.type = type
    self.operation = operation
    isBlocked = soft != 0
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(index)
    writer.write([type, operation.rawValue, isBlocked ? 1 : 0, 0])
    return writer.bytes
  }

  /// Whether a program asks to move the switch of an adapter.
  func moves(_ adapter: SimulatedAdapter) -> Bool {
    switch operation {
    case .change: index == adapter.wiphy
    case .changeAll: type == 0 || type == Self.wlan
    case .add, .remove: false
    }
  }
}
