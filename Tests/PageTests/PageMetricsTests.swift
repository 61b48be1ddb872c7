import Testing
import ViewFixture

@testable import Page

@Suite struct PageMetricsTests {
  @Test func `figures have one line each, and names cannot end one`() {
    let fixture = PageFixture(hearing: SampleAir.hostile + SampleAir.home)
    let text = String(decoding: PageMetrics(fixture.viewer, PageStatistics()).bytes, as: UTF8.self)
    #expect(text.contains("wifi_harness_networks 16\n"))
    #expect(text.contains("\nwifi_harness_access_points "))
    #expect(text.contains("wifi_harness_scans_total 1\n"))
    #expect(text.hasSuffix("\n"))
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.wholeMatch(of: /[a-z_]+(\{([a-z]+="([^"\\]|\\.)*",?)+\})? -?[0-9]+(\.[0-9]+)?/) != nil, "\(line)")
    }
    #expect(text.contains(#"ssid="\"><img src=x onerror=a()>""#))
  }
}
