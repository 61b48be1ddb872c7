import Models

extension Viewer {
  /// Processes scans until there are no more or the task is cancelled; where the source fails, shows why and tries
  /// again after 5 s.
  func followSource() async {
    while !Task.isCancelled {
      do {
        try await settings.followNetworks()
        return update()
      } catch {
        if Task.isCancelled { return }
        let failure = Failure.ofScanning(error)
        sourceFailed(failure.sentence, hasAdapter: !failure.isWithoutAdapter)
        try? await ContinuousClock().sleep(for: .seconds(5))
      }
    }
  }
}

extension RecordingPlayer {
  /// Goes through the recording as it was, until its end or until it is paused.
  func play(in viewer: Viewer) async {
    while !Task.isCancelled, let pause = timeToNext, viewer.playback?.isPlaying == true {
      do { try await ContinuousClock().sleep(for: pause) } catch { return }
      if viewer.playback?.isPlaying == true { step(by: 1) }
    }
  }
}
