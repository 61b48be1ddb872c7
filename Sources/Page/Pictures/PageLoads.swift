import Models
public import WiFi

/// How busy channels are, as a page shows it.
public struct PageLoads: Hashable, Sendable {
  /// One channel.
  public struct Channel: Hashable, Sendable {
    /// Its centre in MHz.
    public var megahertz: Int
    /// The part of the time that something was sent on it, in percent.
    public var busyPercent: Int
    /// Noise in dBm.
    public var noiseDBm: Int?
  }

  /// Whether they are on their way.
  public var isLoading: Bool
  /// The channels whose load is known, by frequency.
  public var channels: [Channel]

  init?(_ fact: SlowFact<[ChannelLoad]>) {
    switch fact {
    case .unasked, .unavailable: return nil
    case .loading: (isLoading, channels) = (true, [])
    case .known(let loads):
      isLoading = false
      channels = loads.compactMap { load in
        load.busyPercent.map { Channel(megahertz: load.frequencyKHz / 1000, busyPercent: $0, noiseDBm: load.noiseDBm) }
      }
    }
  }
}

extension PageLoads: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("isLoading", isLoading)
    fields.objects("channels", channels) { fields, channel in
      fields.field("megahertz", channel.megahertz)
      fields.field("busyPercent", channel.busyPercent)
      if let noise = channel.noiseDBm { fields.field("noiseDBm", noise) }
    }
  }
}
