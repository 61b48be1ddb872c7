import Foundation
import Testing

@testable import ScanTools

#if canImport(Glibc)
  import Glibc
#endif

/// Files that outputs are put in the place of.
@Suite struct FilesTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wifi-harness-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func `a file keeps its mode, and a link what it leads to`() throws {
    try withFolder { folder in
      let (file, link) = ("\(folder)/secret.xml", "\(folder)/link.xml")
      #expect(FileManager.default.createFile(atPath: file, contents: Data("old".utf8), attributes: [.posixPermissions: 0o600]))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      try Files.replace(link, with: Array("new".utf8))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "new")
      #expect(try mode(file) == 0o600)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link.xml", "secret.xml"])
      #expect(Files.isSame(link, file))
      #expect(!Files.isSame(link, "\(folder)/none"))
    }
  }

  @Test func `two paths name one file also before it is there`() throws {
    try withFolder { folder in
      let file = "\(folder)/new"
      #expect(Files.willBeSame(file, "\(folder)/./new") && Files.willBeSame(file, file))
      #expect(!Files.willBeSame(file, "\(folder)/other") && !Files.willBeSame(file, "\(folder)/none/new"))
      #expect(Files.willBeSame("new", "./new") && !Files.willBeSame("/new", "new"))
      // In a folder that is still to be made.
      #expect(Files.willBeSame("\(folder)/none/new", "\(folder)//none/./new") && !Files.willBeSame("/none/new", "none/new"))
    }
  }

  @Test func `what is written to one file twice is lost, but for devices and descriptors`() throws {
    try withFolder { folder in
      let (file, link) = ("\(folder)/report", "\(folder)/link")
      #expect(Files.excludeEachOther(file, "\(folder)/./report") && !Files.excludeEachOther(file, link))
      try Files.replace(file, with: [1])
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      #expect(Files.excludeEachOther(file, link))
      #expect(!Files.excludeEachOther("/dev/null", "/dev/null") && !Files.excludeEachOther("/dev/stdout", "/dev/stdout"))
    }
  }

  @Test func `a pipe stays one, and its reader gets what is written`() throws {
    try withFolder { folder in
      let pipe = "\(folder)/pipe"
      let status = unsafe mkfifo(pipe, 0o600)
      try #require(status == 0)
      // Open for both, so that neither side waits.
      let descriptor = unsafe open(pipe, O_RDWR | O_NONBLOCK)
      defer { close(descriptor) }
      try Files.replace(pipe, with: Array("page".utf8))
      var buffer = [UInt8](repeating: 0, count: 16)
      let count = unsafe read(descriptor, &buffer, 16)
      #expect(String(decoding: buffer[..<max(count, 0)], as: UTF8.self) == "page")
      #expect(try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType != .typeRegular)
    }
  }

  @Test func `a folder that is not there is no missing input`() {
    do {
      try Files.replace("/nonexistent/page.html", with: [])
      Issue.record("it was written")
    } catch {
      #expect(error.number == ENOENT)
      #expect(!error.isNoInput)
    }
    #expect(FileFailure(operation: "open", path: "x", number: ENOENT).isNoInput)
  }

  /// Plants a link to another's file under every name that a file in the making had once, in a folder where others write.
  @Test func `a planted link in the place of the new file leads nowhere`() throws {
    try withFolder { folder in
      let (file, secret) = ("\(folder)/report.xml", "\(folder)/secret")
      #expect(FileManager.default.createFile(atPath: secret, contents: Data("secret".utf8), attributes: [.posixPermissions: 0o600]))
      #expect(FileManager.default.createFile(atPath: file, contents: Data("old".utf8), attributes: [.posixPermissions: 0o666]))
      for name in ["\(file).\(getpid()).new", "\(file).new", "\(folder)/.\(getpid()).new"] {
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: secret)
      }
      try Files.checkReplaceable(file)
      try Files.replace(file, with: Array("new".utf8))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "new")
      #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
      #expect(try mode(secret) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 5)
    }
  }

  @Test func `whether a file can be written is known before its folder is made`() throws {
    try withFolder { folder in
      let file = "\(folder)/file"
      try Files.replace(file, with: Array("old".utf8))
      for path in ["new", "one/new", "one/two//new", "one/../new"] {
        try Files.checkReplaceable("\(folder)/\(path)", makesFolder: true)
      }
      #expect(throws: FileFailure.self) { try Files.checkReplaceable("\(folder)/one/new") }
      let failure = #expect(throws: FileFailure.self) { try Files.checkReplaceable("\(file)/one/new", makesFolder: true) }
      #expect(failure?.description == "cannot write to \(file)/one/new: Not a directory")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  @Test func `a folder that becomes a link meanwhile does not lead the new file elsewhere`() throws {
    try withFolder { folder in
      for name in ["place", "elsewhere"] {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
      }
      let place = try FilePlace("\(folder)/place/report.xml")
      try FileManager.default.moveItem(atPath: "\(folder)/place", toPath: "\(folder)/moved")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/place", withDestinationPath: "elsewhere")
      let file = try Replacement(of: place, isPrivate: true)
      try file.write(Array("new".utf8), lasts: true)
      try file.takePlace()
      #expect(try String(contentsOfFile: "\(folder)/moved/report.xml", encoding: .utf8) == "new")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/moved") == ["report.xml"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/elsewhere").isEmpty)
    }
  }

  @Test func `a link of another user is not followed, wherever it stands in the path`() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/place", withIntermediateDirectories: false)
      for (link, target) in [
        ("file.svg", "place/file.svg"), ("none.svg", "nowhere"), ("folder", "place"), ("loop", "loop"), ("far", folder),
      ] {
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: target)
      }
      let owner: uid_t = geteuid() == 0 ? 65534 : geteuid()
      for link in ["file.svg", "none.svg", "folder", "loop", "far"] { #expect(unsafe lchown("\(folder)/\(link)", owner, uid_t.max) == 0) }
      for (path, name) in [
        ("file.svg", "file.svg"), ("none.svg", "nowhere"), ("folder/new.svg", "new.svg"), ("./place/../far/place//x", "x"),
      ] {
        // To their owner they lead where they lead.
        #expect(try FilePlace("\(folder)/\(path)", caller: owner).name == name, "\(path)")
        let error = #expect(throws: SystemError.self) { _ = try FilePlace("\(folder)/\(path)", caller: owner - 1) }
        #expect(error?.operation == "follow another user's link to write to", "\(path)")
      }
      #expect(throws: SystemError.self) { _ = try FilePlace("\(folder)/loop", caller: owner) }
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/out", withDestinationPath: "/dev/stdout")
      #expect(try FilePlace("\(folder)/out").descriptor == "/dev/stdout")
      #expect(try FilePlace("/dev/fd/1").descriptor == "/dev/fd/1" && FilePlace("/./dev/fd/1").descriptor == "/proc/self/fd/1")
      #expect(try FilePlace("\(folder)/place/new", caller: geteuid() + 1).name == "new")
      for path in ["", "/", "\(folder)/place/", "\(folder)/nowhere/x"] {
        #expect(throws: SystemError.self, "\(path)") { _ = try FilePlace(path) }
      }
    }
  }

  @Test(.enabled("only root may give a link away") { geteuid() == 0 })
  func `root follows no link of another user, to whatever it leads`() throws {
    try withFolder { folder in
      let (link, dangling, secret) = ("\(folder)/w.svg", "\(folder)/new.ndjson", "\(folder)/secret")
      #expect(FileManager.default.createFile(atPath: secret, contents: Data("secret".utf8), attributes: [.posixPermissions: 0o600]))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: secret)
      try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: "\(folder)/nologin")
      #expect(unsafe lchown(link, 65534, 65534) == 0 && lchown(dangling, 65534, 65534) == 0)
      let sentence = "cannot follow another user's link to write to \(link): Operation not permitted"
      for attempt in [{ try Files.replace(link, with: [1]) }, { try Files.checkReplaceable(link) }, { try Files.append([1], to: link) }] {
        let failure = #expect(throws: FileFailure.self) { try attempt() }
        #expect(failure?.description == sentence)
        #expect(failure?.isNoInput == false)
      }
      #expect(throws: RecordingFile.Failure.self) { _ = try RecordingFile(path: dangling, header: Recording.Header(source: "test")) }
      #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/nologin"))
      // A file that another user has put into a folder like /tmp.
      let planted = "\(folder)/planted"
      #expect(FileManager.default.createFile(atPath: planted, contents: Data(), attributes: [.posixPermissions: 0o666]))
      #expect(unsafe chown(planted, 65534, 65534) == 0 && chmod(folder, 0o1777) == 0)
      #expect(throws: FileFailure.self) { try Files.append([1], to: planted) }
      let pipe = "\(folder)/pipe"
      #expect(unsafe mkfifo(pipe, 0o666) == 0 && chown(pipe, 65534, 65534) == 0)
      let refused = "cannot write to another user's pipe \(pipe): Operation not permitted"
      var readers: [Int32] = []
      // Without a reader first, which nothing is to wait for.
      for _ in 0..<2 {
        for attempt in [{ try Files.append([1], to: pipe) }, { try Files.replace(pipe, with: [1]) }, { try Files.checkReplaceable(pipe) }] {
          let failure = #expect(throws: FileFailure.self) { try attempt() }
          #expect(failure?.description == refused)
        }
        readers.append(unsafe open(pipe, O_RDONLY | O_NONBLOCK))
      }
      for reader in readers { close(reader) }
    }
  }

  @Test func `a pipe of the caller's waits for its reader, and then for room`() throws {
    try withFolder { folder in
      let pipe = "\(folder)/pipe"
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      // More than a pipe holds: what is written without waiting would stop at that.
      let bytes = [UInt8](repeating: 7, count: 1 << 20)
      let writer = Thread { try? Files.replace(pipe, with: bytes) }
      writer.start()
      usleep(50_000)
      #expect(!writer.isFinished)
      let read = try Files.read(pipe)
      #expect(read == bytes)
    }
  }

  /// Needs root: only root may give a file away, to somebody who then has what root writes.
  @Test func `a file that was another user's is the caller's once the caller has written it`() throws {
    try withFolder { folder in
      let file = "\(folder)/report.xml"
      #expect(FileManager.default.createFile(atPath: file, contents: Data("old".utf8), attributes: [.posixPermissions: 0o646]))
      let isForeign = unsafe chown(file, 65534, 65534) == 0
      try Files.replace(file, with: Array("new".utf8))
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.ownerAccountID] as? UInt32 == geteuid())
      // Never more than that file had, and never more than reading for others.
      #expect(try mode(file) == (isForeign ? 0o644 : 0o646))
    }
  }

  @Test func `the limit of open files is named, and how to raise it`() {
    let failure = FileFailure(operation: "open", path: "air.ndjson", number: EMFILE)
    #expect(failure.isOfLimit && !failure.isNoInput)
    #expect("\(failure)".hasPrefix("cannot open air.ndjson: ") && "\(failure)".hasSuffix("such as with `ulimit -n 256`"))
    #expect(!FileFailure(operation: "open", path: "air.ndjson", number: ENOENT).isOfLimit)
  }

  @Test func `a file that is private when it is new keeps the mode that its owner gives it`() throws {
    try withFolder { folder in
      let file = "\(folder)/conversation"
      try Files.replace(file, with: Array("one".utf8), isPrivate: true)
      #expect(try mode(file) == 0o600)
      #expect(!Files.isReadableByOthers(file))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      try Files.replace(file, with: Array("two".utf8), isPrivate: true)
      #expect(try mode(file) == 0o640)
      #expect(Files.isReadableByOthers(file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let isForeign = unsafe chown(file, 65534, 65534) == 0
      #expect(Files.isReadableByOthers(file) == isForeign)
    }
  }

  /// Needs root: only root may give a pipe away.
  @Test func `another user's pipe is not written to, in whichever folder`() throws {
    try withFolder { folder in
      let pipe = "\(folder)/pipe"
      #expect(unsafe mkfifo(pipe, 0o666) == 0)
      guard unsafe chown(pipe, 65534, 65534) == 0 else { return }
      let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let error = #expect(throws: FileFailure.self) { try Files.append(Array("secret".utf8), to: pipe) }
      #expect(error?.operation == "write to another user's pipe")
      #expect(throws: FileFailure.self) { try Files.checkReplaceable(pipe) }
    }
  }

  @Test func `a name as long as the file system takes can be replaced, and nothing is left of what failed`() throws {
    try withFolder { folder in
      let file = "\(folder)/\(String(repeating: "n", count: 255))"
      try Files.replace(file, with: Array("one".utf8))
      try Files.replace(file, with: Array("two".utf8))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "two")
      #expect(throws: FileFailure.self) { try Files.replace("\(file)n", with: Array("one".utf8)) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }
  }

  @Test func `one writer at a time appends to a locked file`() throws {
    try withFolder { folder in
      let path = "\(folder)/made/journal"
      var first: LockedFile? = try LockedFile(path)
      try first?.append(Array("one\ntw".utf8))
      #expect(throws: LockedFile.Failure.inUse) { try LockedFile(path) }
      try first?.cut(to: 4)
      try first?.append(Array("two\n".utf8))
      #expect(try Files.read(path) == Array("one\ntwo\n".utf8))
      first = nil
      // It goes on behind what is there.
      try LockedFile(path).append([0x33])
      #expect(try Files.read(path) == Array("one\ntwo\n3".utf8))
      let failure = #expect(throws: LockedFile.Failure.self) { try LockedFile("\(path)/x") }
      #expect(failure == .file(FileFailure(operation: "write to", path: "\(path)/x", number: ENOTDIR)))
    }
  }
}
