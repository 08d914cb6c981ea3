import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a Maven repository: {@code Publish <source> <repository> <group> <version>} takes each
 * {@code <artifact>.pom} and {@code <artifact>.jar} of the source folder. A snapshot gets the time
 * as its version, as Maven's deploy gives it, so that whoever has an older one takes the new one;
 * that plugin itself refuses to work offline.
 */
class Publish {
  private static final String SNAPSHOT = "-SNAPSHOT";

  private final Path repository;
  private final String group;
  private final String version;
  private final String time;

  private Publish(Path repository, String group, String version) {
    this.repository = repository;
    this.group = group;
    this.version = version;
    this.time =
        DateTimeFormatter.ofPattern("yyyyMMdd.HHmmss")
            .withZone(ZoneOffset.UTC)
            .format(Instant.now());
  }

  /** See the class. */
  public static void main(String[] arguments) throws Exception {
    Path repository = Path.of(arguments[1]);
    if (Files.exists(repository)) {
      try (Stream<Path> old = Files.walk(repository)) {
        for (Path file : old.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
    Publish publish = new Publish(repository, arguments[2], arguments[3]);
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      for (Path pom : files.filter(file -> file.toString().endsWith(".pom")).toList()) {
        publish.artifact(pom);
      }
    }
  }

  private void artifact(Path pom) throws Exception {
    String artifact = pom.getFileName().toString().replaceFirst("\\.pom$", "");
    Path folder = repository.resolve(group.replace('.', '/')).resolve(artifact).resolve(version);
    Files.createDirectories(folder);
    boolean snapshot = version.endsWith(SNAPSHOT);
    String timed = snapshot ? version.replace(SNAPSHOT, "-" + time + "-1") : version;
    for (String extension : List.of("pom", "jar")) {
      Path source = pom.resolveSibling(artifact + "." + extension);
      Path target = folder.resolve(artifact + "-" + timed + "." + extension);
      Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
      sum(target);
    }
    if (snapshot) {
      Path metadata = folder.resolve("maven-metadata.xml");
      Files.writeString(metadata, metadata(artifact, timed));
      sum(metadata);
    }
  }

  private static void sum(Path file) throws IOException, NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(file));
    Files.writeString(
        file.resolveSibling(file.getFileName() + ".sha1"), HexFormat.of().formatHex(digest));
  }

  private String metadata(String artifact, String timed) {
    String updated = time.replace(".", "");
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <metadata modelVersion="1.1.0">
      <groupId>%s</groupId>
      <artifactId>%s</artifactId>
      <version>%s</version>
      <versioning>
        <snapshot><timestamp>%s</timestamp><buildNumber>1</buildNumber></snapshot>
        <lastUpdated>%s</lastUpdated>
        <snapshotVersions>
          <snapshotVersion><extension>pom</extension><value>%s</value><updated>%s</updated></snapshotVersion>
          <snapshotVersion><extension>jar</extension><value>%s</value><updated>%s</updated></snapshotVersion>
        </snapshotVersions>
      </versioning>
    </metadata>
    """
        .formatted(group, artifact, version, time, updated, timed, updated, timed, updated);
  }
}
