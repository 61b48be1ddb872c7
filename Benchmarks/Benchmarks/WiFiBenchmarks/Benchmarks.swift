import Benchmark
import CWalk
import Models
import ScanTools
import WiFi

/// What is measured: the rows of the table that `make benchmark` prints.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], warmupIterations: 3, scalingFactor: .kilo, maxDuration: .seconds(2), maxIterations: 100_000)

  // The element lists of the lab, as they stand in one buffer: the same bytes in either language.
  let (bytes, ranges) = Sample.elementLists
  Benchmark("walk \(bytes.count) bytes of elements in Swift") { benchmark in
    for _ in benchmark.scaledIterations {
      var mixed = 0
      for range in ranges { mixed &+= walk(bytes, range) }
      blackHole(mixed)
    }
  }

  Benchmark("walk \(bytes.count) bytes of elements in C") { benchmark in
    for _ in benchmark.scaledIterations {
      var mixed: UInt64 = 0
      for range in ranges {
        mixed &+= unsafe bytes.withUnsafeBufferPointer { unsafe cwalk_elements($0.baseAddress, range.lowerBound, range.upperBound) }
      }
      blackHole(mixed)
    }
  }

  let modern = Sample.modern
  Benchmark("decode a BSS with \(modern.informationElements.count) bytes of elements") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(ElementList(parsing: modern.informationElements)) }
  }

  Benchmark("decode it and derive its facts") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(BSSFacts(modern)) }
  }

  let attributes = modern.encode()
  Benchmark("decode its nl80211 attributes and derive its facts") { benchmark in
    for _ in benchmark.scaledIterations { blackHole((try? BSS(attributes: attributes)).map { BSSFacts($0) }) }
  }

  for count in [10, 1000, 10_000, 100_000] {
    Benchmark("one change in a list of \(count)") { benchmark in
      // Found, changed and lost in turn: a partial scan of one BSS, which says nothing of the others.
      let list = ChangingList(count: count)
      benchmark.startMeasurement()
      for index in benchmark.scaledIterations { blackHole(list.change(index)) }
      benchmark.stopMeasurement()
    }
  }

  let dump = Sample.dump(count: 500)
  Benchmark("decode a dump of 500 BSSs and write it as JSON", configuration: .init(scalingFactor: .one)) { benchmark in
    for _ in benchmark.scaledIterations {
      let scan = Scan(
        interface: "wlan0", start: .seconds(1), end: .seconds(4), completion: .cached,
        bss: dump.compactMap { try? BSS(attributes: $0) })
      blackHole(ScanReport(scan).json())
    }
  }

  measureInputs()
  measureSleeps()
  measureRadio()
  measureSettings()
  measurePanel()
  measureRuns()
}

/// A function of its own, as the one in C is: within the closure of a benchmark the walk is kept in memory, not in registers.
@inline(never)
private func walk(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
  var mixed = 0
  var walk = ElementWalk(bytes, in: range)
  while let header = walk.next() { mixed &+= Int(header.id) ^ header.length ^ header.offset ^ header.fragmentsSize }
  return mixed
}
