import ScanTools
import Scanner
import WiFi

/// A sentence for the user and the exit status for the program (`sysexits.h`).
struct Failure: Error {
  var status: ExitStatus
  var sentence: String
  /// Whether there is no adapter to scan with.
  var isWithoutAdapter = false

  init(_ status: ExitStatus, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  /// What helps where there is no adapter, behind another sentence.
  static let simulationAdvice = " Without an adapter, `--simulate home --seed 7` shows a simulated home."

  /// The failure of a command that asks a daemon, where no daemon runs on such a system.
  static let withoutDaemons = Failure(
    .unavailable, "this system has none of the daemons that join networks: NetworkManager, iwd, wpa_supplicant.")

  /// The failure of a command that asks an adapter, which can ask a simulated world where there is none.
  static func ofScanning(_ error: any Error, path: String? = nil) -> Failure {
    var failure = Failure(RFKill.refined(error), path: path)
    if let error = error as? ScanError, error.kind == .noWireless || error.kind == .noAdapter {
      failure.isWithoutAdapter = true
      failure.sentence += simulationAdvice
    }
    return failure
  }

  /// What an error number of the system means.
  static func words(of number: Int32) -> String { unsafe String(cString: strerror(number)) }

  /// Does something that may fail, and throws the failure that its error is for a user.
  static func wrap<Value>(_ body: @autoclosure () throws -> Value) throws(Failure) -> Value {
    do { return try body() } catch { throw Failure(error) }
  }

  /// The failure that any error of the libraries is for a user.
  init(_ error: any Error, path: String? = nil) {
    switch error {
    case let error as Failure: self = error
    case let error as ScanError where error.kind == .notPermitted && PrivilegedStart.groupAdvice != nil:
      self.init(.noPermission, "Starting a scan needs the capability CAP_NET_ADMIN. \(PrivilegedStart.groupAdvice ?? "")")
    case let error as ScanError: self.init(error.kind.status, "\(error)")
    case let error as LinkError: self.init(.unavailable, ScanError(.link(error)).description)
    case let error as FileFailure: self.init(error.status, "\(error).")
    case RecordingInput.Failure.file(let error): self.init(error, path: path)
    case RecordingInput.Failure.compressed, RecordingFile.Failure.compression:
      self.init(Zstandard.isAvailable ? .dataError : .unavailable, "\(error)")
    case RecordingInput.Failure.foreign: self.init(.dataError, "\(error)")
    case RecordingFile.Failure.inUse: self.init(.temporaryFailure, "\(error)")
    case RecordingFile.Failure.file(let error): self.init(error.isOfLimit ? error.status : .inputOutput, "\(error).")
    case let error as RecordingFile.Failure: self.init(.dataError, "\(error)")
    case let error as CaptureError:
      let name = path.map { "\(Files.shownName($0)): " } ?? ""
      self.init(.dataError, "\(name)\(error)")
    case let error as Recording.Failure where error == .empty:
      self.init(.dataError, "\(path.map { "\(PrintableText.escape($0)): " } ?? "")the file is empty.")
    case let error as Recording.Failure:
      self.init(.dataError, "\(path.map { "\(PrintableText.escape($0)), " } ?? "")\(error).")
    default: self.init(.software, "\(error)")
    }
  }
}

/// What the command ends with.
enum ExitStatus: Int32 {
  case success = 0
  case checkFailed = 1
  case usage = 64
  case dataError = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case systemError = 71
  case inputOutput = 74
  case temporaryFailure = 75
  case noPermission = 77
}

extension FileFailure {
  /// The exit status that a failure to open, read or write a file is.
  var status: ExitStatus { isOfLimit ? .systemError : isNoInput ? .noInput : .inputOutput }
}

extension ScanError.Kind {
  /// The exit status that a scan error is.
  fileprivate var status: ExitStatus {
    switch self {
    case .noWireless, .noAdapter, .noSuchInterface, .adapterRemoved, .interfaceDown, .rfkill, .notSupported, .link:
      .unavailable
    case .notPermitted: .noPermission
    case .busy, .channelBusy, .noAnswer: .temporaryFailure
    case .invalidRequest: .usage
    case .cancelled, .kernel: .software
    }
  }
}
