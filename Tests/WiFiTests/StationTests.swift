import Testing
import WiFi

@Suite struct StationTests {
  /// A station as `nl80211_send_station` and `nl80211_put_sta_rate` write it.
  private func station(_ rate: (inout AttributeWriter) -> Void) -> Station? {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.mac, [2, 0, 0, 0, 0, 1])
    writer.nest(NL80211.Attribute.stationInfo) { writer in
      writer.write(7, UInt8(bitPattern: -44))
      for (type, value) in [(9, 10), (10, 20), (11, 3), (12, 1), (16, 60)] as [(UInt16, UInt32)] { writer.write(type, value) }
      writer.nest(8, rate)
    }
    return Station(GenericNetlinkMessage(command: NL80211.Command.newStation, attributes: writer.bytes))
  }

  @Test func `a link has its rate and its counters`() throws {
    let station = try #require(
      station { writer in
        writer.write(5, UInt32(8667))
        writer.write(6, UInt8(9))
        writer.writeFlag(8)
        writer.write(7, UInt8(2))
      })
    #expect(
      station.clauses == [
        "-44 dBm", "sends 866.7 Mb/s (VHT MCS 9, 80 MHz, 2 streams)", "10 packets received", "20 sent", "3 sent again", "1 lost",
        "connected for 60 s",
      ])
    #expect(station.rates == [station.clauses[1]] && station.summary.hasPrefix("02:00:00:00:00:01, -44 dBm, sends 866.7 Mb/s"))
    var writer = FieldWriter(style: .json)
    writer.object { station.describe(into: &$0) }
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.contains(#""receivedPackets":10,"sentPackets":20,"retries":3,"failures":1,"sendingRateKbps":866700,"#))
  }

  @Test(
    arguments: [
      (2, 7, 3, "HT MCS 7, 40 MHz"), (13, 11, 10, "HE MCS 11, 160 MHz"), (19, 13, 18, "EHT MCS 13, 320 MHz"),
    ] as [(UInt16, UInt8, UInt16, String)])
  func `each generation has its scheme and its width`(mcs: UInt16, index: UInt8, width: UInt16, words: String) {
    let station = station { writer in
      writer.write(mcs, index)
      writer.writeFlag(width)
    }
    #expect(station?.sendingRate?.description == "unknown rate (\(words))")
  }
}
