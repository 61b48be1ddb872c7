public import ScanTools
public import Simulator
import WiFi

/// The frames that simulated adapters hear, as a pcapng file with radiotap headers: times in ns, strengths in whole
/// dBm, fractions cut off.
///
/// A frame stands there as the kernel took it over: what a fault changed is changed, and a beacon that speaks for
/// several BSSs is one frame. Probe responses are addressed to the adapter. Sequence numbers are zero.
public struct HeardFrameCapture: Sendable {
  private var writer: PCAPNGWriter
  private let booted: UTCTime

  /// Starts the file with its header.
  ///
  /// - Parameters:
  ///   - booted: when the simulated machine was booted, which the times of frames count from.
  ///   - application: the program that writes.
  public init(booted: UTCTime, application: String? = nil) {
    self.booted = booted
    writer = PCAPNGWriter(application: application)
  }

  /// Adds a frame that an adapter heard.
  public mutating func append(_ frame: HeardFrame, adapter: SimulatedAdapter) {
    let body = BeaconBody(
      timestampUs: frame.tsfUs, intervalTU: frame.beaconIntervalTU, capabilities: frame.capability, elements: ElementList())
    let broadcast = MACAddress(0xFFFF_FFFF_FFFF)
    let receiver = frame.isProbeResponse ? adapter.interfaces.first?.address ?? broadcast : broadcast
    let header = ManagementFrame(
      receiver: receiver, transmitter: frame.bssid, bssid: frame.bssid,
      body: frame.isProbeResponse ? .probeResponse(body) : .beacon(body))
    // The elements as they are: their last may be cut off.
    writer.append(
      frame: header.encoded + frame.elements,
      radiotap: Radiotap(
        timestampUs: nil, frequencyMHz: Int(frame.frequencyKHz / 1000), signalDBm: Int8(clamping: Int(frame.signalMBm) / 100)),
      timestampNs: UInt64(max(booted.advanced(by: frame.time).nanoseconds, 0)))
  }

  /// What was added since the start or since this was last called, the header of the file with the first; forgets it.
  public mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
}
