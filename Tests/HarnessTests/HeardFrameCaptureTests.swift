import Harness
import ScanTools
import Simulator
import Testing
import WiFi

@Suite struct HeardFrameCaptureTests {
  private func heard(_ time: Duration, isProbeResponse: Bool, elements: [UInt8], signalMBm: Int32) -> HeardFrame {
    HeardFrame(
      time: time, bssid: MACAddress(0x0200_0000_1001), isProbeResponse: isProbeResponse, frequencyKHz: 5_180_000, tsfUs: 123_456_789,
      beaconIntervalTU: 100, capability: 0x0411, elements: elements, signalMBm: signalMBm)
  }

  @Test func `frames are written with their times, channels, strengths and bytes, cut off ones too`() throws {
    let elements: [UInt8] = [0, 1, 0x41, 48, 20, 1, 0]
    var capture = HeardFrameCapture(booted: UTCTime(seconds: 1_767_830_400))
    var bytes = capture.takeBytes()
    let adapter = SimulatedAdapter()
    capture.append(heard(.nanoseconds(101_000_000_007), isProbeResponse: false, elements: elements, signalMBm: -6799), adapter: adapter)
    capture.append(heard(.nanoseconds(102_000_000_000), isProbeResponse: true, elements: [], signalMBm: -6000), adapter: adapter)
    bytes += capture.takeBytes()
    #expect(capture.takeBytes().isEmpty)
    let frames = try Capture(bytes).frames
    #expect(frames.map(\.timestampNs) == [1_767_830_501_000_000_007, 1_767_830_502_000_000_000])
    #expect(frames.map(\.radiotap?.frequencyMHz) == [5180, 5180])
    #expect(frames.map(\.radiotap?.signalDBm) == [-67, -60])
    #expect(Array(frames[0].bytes.suffix(elements.count)) == elements)
    let body: [UInt8] = [0x15, 0xCD, 0x5B, 0x07, 0, 0, 0, 0, 100, 0, 0x11, 0x04]
    #expect(Array(frames[0].bytes.dropLast(elements.count).suffix(12)) == body)
    // Subtypes 8 and 5, to everybody and to the adapter.
    #expect(frames.map { $0.bytes[0] } == [0x80, 0x50])
    #expect(Array(frames[0].bytes[4..<10]) == [UInt8](repeating: 0xFF, count: 6))
    #expect(Array(frames[1].bytes[4..<10]) == [2, 0, 0, 0, 0, 0])
    #expect(Array(frames[1].bytes[10..<22]) == [2, 0, 0, 0, 0x10, 1, 2, 0, 0, 0, 0x10, 1])
  }
}
