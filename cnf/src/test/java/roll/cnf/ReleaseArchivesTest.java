package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archives of {@code ./dev release}: the profile of {@code launch/pom.xml} on small files. */
@Tag("processes")
class ReleaseArchivesTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final List<String> FILES =
      List.of(
          "LICENSE",
          "README.md",
          "docs/commands.md",
          "configs/frozen_lake.yaml",
          "configs/sokoban.yaml",
          "configs/models/frozen-lake-tiny/config.json",
          "launch/target/archive.jar",
          "launch/target/core.jar",
          "launch/target/frozen-lake.jar",
          "launch/target/dist/build-jni",
          "launch/target/dist/cache/1/jar/old.jar",
          "launch/target/dist/deploy/README.md",
          "launch/target/dist/deploy/own.jar",
          "launch/target/dist/etc/gosh_profile",
          "launch/target/dist/native/torch.jar",
          "launch/target/dist/roll",
          "launch/target/dist/roll.cmd",
          "launch/target/dist/roll.jar",
          "launch/target/dist/roll.ps1",
          "launch/target/dist/take-cuda");

  @TempDir Path folder;

  @BeforeEach
  void project() throws IOException {
    write(FILES, Instant.parse("2026-01-01T00:00:00Z"));
    Path release = Files.createDirectories(folder.resolve("launch/src/release"));
    for (String name : List.of("roll.xml", "core.xml", "frozen-lake.xml")) {
      Files.copy(ROOT.resolve("launch/src/release").resolve(name), release.resolve(name));
    }
    String root = Files.readString(ROOT.resolve("pom.xml"));
    Files.writeString(
        folder.resolve("launch/pom.xml"),
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>own</groupId><artifactId>own</artifactId><version>1.2.3</version><packaging>pom</packaging>
          <properties>%s<pytorch.classifier>os-cpu</pytorch.classifier></properties>
          <build><pluginManagement><plugins>%s</plugins></pluginManagement></build>
          <profiles>%s</profiles>
        </project>
        """
            .formatted(
                part(root, "<project.build.outputTimestamp>.*?</project.build.outputTimestamp>"),
                part(root, "<plugin><artifactId>maven-assembly-plugin<.*?</plugin>"),
                part(
                    Files.readString(ROOT.resolve("launch/pom.xml")),
                    "(?s)<profile>\\s*<id>release</id>.*?</profile>")));
  }

  private void write(List<String> files, Instant time) throws IOException {
    for (String name : files) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
      Files.setLastModifiedTime(file, FileTime.from(time));
    }
  }

  private static String part(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertTrue(found.find(), pattern);
    return found.group();
  }

  /** Files of other times, made in another order, give the same archives. */
  @Test
  void sameFilesGiveTheSameBytes() throws Exception {
    pack();
    Path release = folder.resolve("launch/target/release");
    Path first = Files.move(release, folder.resolve("first"));
    for (String name : FILES) {
      Files.delete(folder.resolve(name));
    }
    write(FILES.reversed(), Instant.parse("2027-07-07T07:07:07Z"));
    pack();
    List<String> names =
        List.of(
            "roll-1.2.3-os-cpu.tar",
            "roll-1.2.3-os-cpu.zip",
            "roll-core-1.2.3.tar",
            "roll-core-1.2.3.zip",
            "roll-frozen-lake-1.2.3-os-cpu.tar",
            "roll-frozen-lake-1.2.3-os-cpu.zip");
    try (Stream<Path> files = Files.list(release)) {
      assertEquals(names, files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    for (String name : names) {
      assertArrayEquals(
          Files.readAllBytes(first.resolve(name)), Files.readAllBytes(release.resolve(name)), name);
    }
  }

  @Test
  void theArchivesHaveWhatRunsAndItsModes() throws Exception {
    pack();
    assertEquals(
        List.of(
            "rw-r--r-- LICENSE",
            "rw-r--r-- README.md",
            "rw-r--r-- configs/frozen_lake.yaml",
            "rw-r--r-- configs/models/frozen-lake-tiny/config.json",
            "rw-r--r-- etc/gosh_profile",
            "rwxr-xr-x roll",
            "rw-r--r-- roll.cmd",
            "rw-r--r-- roll.jar",
            "rw-r--r-- roll.ps1"),
        entries("roll-core-1.2.3"));
    assertEquals(
        List.of(
            "rw-r--r-- LICENSE",
            "rw-r--r-- README.md",
            "rw-r--r-- configs/frozen_lake.yaml",
            "rw-r--r-- configs/models/frozen-lake-tiny/config.json",
            "rw-r--r-- etc/gosh_profile",
            "rw-r--r-- native/torch.jar",
            "rwxr-xr-x roll",
            "rw-r--r-- roll.cmd",
            "rw-r--r-- roll.jar",
            "rw-r--r-- roll.ps1"),
        entries("roll-frozen-lake-1.2.3-os-cpu"));
    assertEquals(
        List.of(
            "rw-r--r-- README.md",
            "rwxr-xr-x build-jni",
            "rw-r--r-- configs/frozen_lake.yaml",
            "rw-r--r-- configs/models/frozen-lake-tiny/config.json",
            "rw-r--r-- configs/sokoban.yaml",
            "rw-r--r-- deploy/README.md",
            "rw-r--r-- docs/commands.md",
            "rw-r--r-- etc/gosh_profile",
            "rw-r--r-- native/torch.jar",
            "rwxr-xr-x roll",
            "rw-r--r-- roll.cmd",
            "rw-r--r-- roll.jar",
            "rw-r--r-- roll.ps1",
            "rwxr-xr-x take-cuda"),
        entries("roll-1.2.3-os-cpu"));
    Path zip = folder.resolve("launch/target/release/roll-1.2.3-os-cpu.zip");
    try (FileSystem files = FileSystems.newFileSystem(zip)) {
      Path jar = files.getPath("roll-1.2.3-os-cpu/roll.jar");
      assertEquals("launch/target/archive.jar", Files.readString(jar));
    }
  }

  /** Returns mode and name of the files in a zip, which all are below a folder of its name. */
  private List<String> entries(String name) throws IOException {
    URI zip = URI.create("jar:" + folder.resolve("launch/target/release/" + name + ".zip").toUri());
    try (FileSystem files =
            FileSystems.newFileSystem(zip, Map.of("enablePosixFileAttributes", true));
        Stream<Path> all = Files.walk(files.getPath("/"))) {
      Path top = files.getPath("/", name);
      return all.filter(Files::isRegularFile)
          .sorted()
          .map(file -> mode(file) + " " + top.relativize(file))
          .toList();
    }
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void pack() throws Exception {
    Path log = folder.resolve("log");
    int status =
        new ProcessBuilder("mvn", "-B", "-q", "-Prelease", "package")
            .directory(folder.resolve("launch").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    assertEquals(0, status, Files.readString(log));
  }
}
