import Benchmark
import ScanTools
import WiFi

/// What `decode` costs per byte, whatever the size of its input: reading, detecting the type, and writing JSON, without the
/// output itself.
func measureInputs() {
  for (kind, make) in InputSample.all {
    for count in [1 << 16, 1 << 20, 1 << 24] {
      let bytes = make(count)
      Benchmark("input of \(bytes.count) bytes, \(kind)", configuration: .init(warmupIterations: 1, scalingFactor: .one)) { benchmark in
        for _ in benchmark.scaledIterations { blackHole(InputSample.decode(bytes)) }
      }
    }
  }
}

/// Inputs of a size.
enum InputSample {
  static let all: [(kind: String, make: @Sendable (Int) -> [UInt8])] = [
    ("a capture", capture), ("messages", messages), ("spaced digits", spaced), ("an array of C", array), ("a dump of xxd", xxd),
    ("random bytes", random),
  ]

  /// The bytes of JSON that the input gives, or 0 where it is refused.
  static func decode(_ bytes: [UInt8]) -> Int {
    guard let input = try? DecodedInput(bytes) else { return 0 }
    var writer = FieldWriter(style: .json)
    var count = 0
    writer.object { fields in
      input.describe(into: &fields) { fields in
        if fields.count >= 1 << 16 { fields.passBytes { count += $0.count } }
      }
    }
    return count + writer.count
  }

  private static func repeated(_ piece: [UInt8], _ count: Int, after start: [UInt8] = []) -> [UInt8] {
    var result = start
    result.reserveCapacity(count)
    while result.count + piece.count <= count { result += piece }
    return result
  }

  private static func capture(_ count: Int) -> [UInt8] {
    var header = ByteWriter()
    for word: UInt32 in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65535, 105] { header.write(word) }
    let frame: [UInt8] =
      [0x80, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 6) + [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0, 0]
      + [UInt8](repeating: 0, count: 8) + [100, 0, 0x11, 0] + Sample.modern.informationElements
    var packet = ByteWriter()
    for word: UInt32 in [0, 0, UInt32(frame.count), UInt32(frame.count)] { packet.write(word) }
    packet.write(frame)
    return repeated(packet.bytes, count, after: header.bytes)
  }

  private static func messages(_ count: Int) -> [UInt8] {
    let message = ScanDumpEntry(generation: 1, interfaceIndex: 3, wdev: 1, bss: Sample.modern).message
    return repeated(NetlinkMessage(type: 28, payload: message.payload).encoded, count)
  }

  private static func text(_ count: Int, bytes: Int, _ line: (Int, ArraySlice<UInt8>) -> String) -> [UInt8] {
    let bytes = capture(count / bytes)
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for start in stride(from: 0, to: bytes.count, by: 16) {
      result += line(start, bytes[start..<min(start + 16, bytes.count)]).utf8
    }
    return result
  }

  private static func digits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static func spaced(_ count: Int) -> [UInt8] {
    text(count, bytes: 3) { $1.map(digits).joined(separator: " ") + "\n" }
  }

  private static func array(_ count: Int) -> [UInt8] {
    Array("static const u8 capture[] = {\n".utf8) + text(count, bytes: 6) { $1.map { "0x\(digits($0))," }.joined(separator: " ") + "\n" }
      + Array("};\n".utf8)
  }

  private static func xxd(_ count: Int) -> [UInt8] {
    text(count, bytes: 4) { start, bytes in
      let offset = String(start, radix: 16)
      return String(repeating: "0", count: 8 - offset.count) + offset + ": " + bytes.map(digits).joined(separator: " ") + "\n"
    }
  }

  private static func random(_ count: Int) -> [UInt8] {
    // SplitMix64.
    var state: UInt64 = 7
    return (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return UInt8(truncatingIfNeeded: value ^ value >> 31)
    }
  }
}
