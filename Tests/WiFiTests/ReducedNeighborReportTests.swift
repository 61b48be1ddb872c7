import Testing
import WiFi

@Suite struct ReducedNeighborReportTests {
  @Test func `access points with MLD parameters`() throws {
    let value = try checkRoundTrip(
      ReducedNeighborReport.self, "10 10 86 55 54 020000000001 04e189de 48 22 ffff0f ff 020000000002 6b10b50e 4a 7f 00d110")
    let neighbor = try #require(value.neighbors.first)
    #expect(neighbor.frequencyKHz == 6_375_000)
    #expect(neighbor.accessPoints.map(\.bssid) == [MACAddress(0x0200_0000_0001), MACAddress(0x0200_0000_0002)])
    #expect(neighbor.accessPoints.map(\.mldID) == [255, 0])
    #expect(neighbor.accessPoints.map(\.linkID) == [15, 1])
    #expect(ReducedNeighborReport(neighbors: value.neighbors) == value)
    #expect(
      json(value)
        == #"{"neighbors":[{"operatingClass":134,"channel":85,"frequencyMHz":6375,"filtered":false,"tbttInformationType":0,"#
        + #""tbttInformationLength":16,"accessPoints":[{"tbttOffsetTU":84,"bssid":"02:00:00:00:00:01","shortSSIDHex":"0xde89e104","#
        + #""parameters":["transmittedBSSID","colocatedAP"],"parametersHex":"0x48","psdDBmPerMHz":17,"apMLDID":255,"linkID":15,"#
        + #""bssParametersChangeCount":255,"allUpdatesIncluded":false,"disabledLink":false},{"tbttOffsetTU":255,"#
        + #""bssid":"02:00:00:00:00:02","shortSSIDHex":"0x0eb5106b","parameters":["sameSSID","transmittedBSSID","colocatedAP"],"#
        + #""parametersHex":"0x4a","psdDBmPerMHz":63.5,"apMLDID":0,"linkID":1,"bssParametersChangeCount":13,"#
        + #""allUpdatesIncluded":true,"disabledLink":false}]}]}"#)
  }

  @Test(arguments: [1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20])
  func `every length of TBTT information is read to its end`(length: Int) throws {
    let bytes = (0..<length).map { UInt8($0 + 1) }
    let value = try ReducedNeighborReport(body: [0, UInt8(length), 81, 6] + bytes)
    let accessPoint = try #require(value.neighbors.first?.accessPoints.first)
    #expect(accessPoint.tbttOffsetTU == 1)
    #expect((accessPoint.bssid != nil) == (length >= 7))
    #expect((accessPoint.shortSSID != nil) == [5, 6, 11, 12, 13, 16, 20].contains(length))
    #expect((accessPoint.parameters != nil) == [2, 6, 8, 9, 12, 13, 16, 20].contains(length))
    #expect((accessPoint.psdHalfDBmPerMHz != nil) == [9, 13, 16, 20].contains(length))
    #expect((accessPoint.mldParameters != nil) == [10, 16, 20].contains(length))
    #expect(accessPoint.trailing.count == (length == 20 ? 4 : 0))
  }

  @Test(arguments: [3, 4]) func `a length that is not defined is kept`(length: Int) throws {
    let value = try ReducedNeighborReport(body: [0, UInt8(length), 81, 6] + Array(repeating: 9, count: length))
    #expect(value.neighbors.first?.accessPoints.first?.trailing.count == length)
  }

  @Test func `MLD parameters alone have a type of their own`() throws {
    let value = try checkRoundTrip(ReducedNeighborReport.self, "01 03 80 2a 00 01 10")
    #expect(value.neighbors.first?.accessPoints.first?.linkID == 1)
  }

  @Test func `TBTT information of no bytes is no access point`() throws {
    #expect(try checkRoundTrip(ReducedNeighborReport.self, "f0 00 51 06").neighbors.first?.accessPoints.isEmpty == true)
  }

  @Test func `a report that is cut off is refused`() {
    #expect(throws: WireError(offset: 2, reason: .truncated(needed: 4, available: 3))) {
      try ReducedNeighborReport(body: [0x10, 1, 81, 6, 1])
    }
  }
}
