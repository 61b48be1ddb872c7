public import WiFi

/// What can be heard: the world that the adapters of a ``SimulatedKernel`` listen to.
public protocol Air: AnyObject {
  /// Adds the frames that a receiver hears on one channel within one window, in any order.
  ///
  /// What is heard depends on the arguments alone, so that the order of calls does not matter.
  func hear(_ dwell: Dwell, into frames: inout [HeardFrame])

  /// The share of time that a channel is busy, in 1/255, as a receiver would measure it.
  func utilization(frequencyKHz: UInt32, at time: Duration) -> UInt8
}

extension Air {
  /// An unused channel.
  public func utilization(frequencyKHz: UInt32, at time: Duration) -> UInt8 { 0 }
}

/// One stay of a receiver on one channel.
public struct Dwell: Hashable, Sendable {
  /// Which receiver listens; each has its own fading.
  public var receiver: UInt32
  /// The centre of the channel in kHz.
  public var frequencyKHz: UInt32
  /// When it begins, as time since boot.
  public var start: Duration
  /// When it ends, as time since boot.
  public var end: Duration
  /// Names that it asks for with probe requests, the wildcard of no bytes among them; empty where it only listens.
  public var ssids: [SSID]

  /// Makes a stay from its parts.
  public init(receiver: UInt32 = 0, frequencyKHz: UInt32, start: Duration, end: Duration, ssids: [SSID] = []) {
    self.receiver = receiver
    self.frequencyKHz = frequencyKHz
    self.start = start
    self.end = end
    self.ssids = ssids
  }

  /// Whether probe requests are sent.
  package var isActive: Bool { !ssids.isEmpty }
}

/// A beacon or a probe response as a receiver heard it.
public struct HeardFrame: Hashable, Sendable {
  /// When it was received, as time since boot.
  public var time: Duration
  /// The address of the BSS.
  public var bssid: MACAddress
  /// Whether it answers a probe request.
  public var isProbeResponse: Bool
  /// The centre of the channel that it was heard on, in kHz.
  public var frequencyKHz: UInt32
  /// The timer of the access point in µs.
  public var tsfUs: UInt64
  /// The time between beacons in TU of 1024 µs.
  public var beaconIntervalTU: UInt16
  /// The Capability Information field.
  public var capability: UInt16
  /// The elements.
  public var elements: [UInt8]
  /// The strength in 1/100 dBm.
  public var signalMBm: Int32

  /// Makes a frame from its parts.
  public init(
    time: Duration, bssid: MACAddress, isProbeResponse: Bool, frequencyKHz: UInt32, tsfUs: UInt64,
    beaconIntervalTU: UInt16, capability: UInt16, elements: [UInt8], signalMBm: Int32
  ) {
    self.time = time
    self.bssid = bssid
    self.isProbeResponse = isProbeResponse
    self.frequencyKHz = frequencyKHz
    self.tsfUs = tsfUs
    self.beaconIntervalTU = beaconIntervalTU
    self.capability = capability
    self.elements = elements
    self.signalMBm = signalMBm
  }
}
