import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a Maven repository: {@code Publish <source> <repository> <group> <version> <bundles>
 * <javadoc>} takes each {@code <artifact>.pom} and {@code <artifact>.jar} of the source folder,
 * with the sources in {@code <bundles>/<artifact>} and, for {@code roll.api} and unless {@code
 * javadoc} is false, one Javadoc of all, which compile with the jars in {@code <source>/libraries}.
 * A snapshot gets the time as its version, as Maven's deploy gives it, so that whoever has an older
 * one takes the new one; that plugin itself refuses to work offline.
 */
class Publish {
  private static final String SNAPSHOT = "-SNAPSHOT";
  private static final String DOCUMENTED = "roll.api";

  private final Path repository;
  private final String group;
  private final String version;
  private final String time;
  private final Path bundles;
  private final boolean documented;

  private Publish(Path repository, String group, String version, Path bundles, boolean documented) {
    this.repository = repository;
    this.bundles = bundles;
    this.documented = documented;
    this.group = group;
    this.version = version;
    this.time =
        DateTimeFormatter.ofPattern("yyyyMMdd.HHmmss")
            .withZone(ZoneOffset.UTC)
            .format(Instant.now());
  }

  /** Runs the program as described for the class. */
  public static void main(String[] arguments) throws Exception {
    Path repository = Path.of(arguments[1]);
    if (Files.exists(repository)) {
      try (Stream<Path> old = Files.walk(repository)) {
        for (Path file : old.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
    Path source = Path.of(arguments[0]);
    Publish publish =
        new Publish(
            repository,
            arguments[2],
            arguments[3],
            Path.of(arguments[4]),
            Boolean.parseBoolean(arguments[5]));
    try (Stream<Path> files = Files.list(source)) {
      List<Path> poms = files.filter(file -> file.toString().endsWith(".pom")).sorted().toList();
      List<Path> sources = poms.stream().map(pom -> publish.sources(artifact(pom))).toList();
      if (publish.documented) {
        ApiDocs.javadoc(
            sources, source.resolve("libraries"), source.resolve(DOCUMENTED + "-javadoc.jar"));
      }
      for (Path pom : poms) {
        publish.publish(pom);
      }
    }
  }

  private static String artifact(Path pom) {
    return pom.getFileName().toString().replaceFirst("\\.pom$", "");
  }

  private Path sources(String artifact) {
    return bundles.resolve(artifact).resolve("src/main/java");
  }

  private void publish(Path pom) throws Exception {
    String artifact = artifact(pom);
    Path folder = repository.resolve(group.replace('.', '/')).resolve(artifact).resolve(version);
    Files.createDirectories(folder);
    boolean snapshot = version.endsWith(SNAPSHOT);
    String timed = snapshot ? version.replace(SNAPSHOT, "-" + time + "-1") : version;
    ApiDocs.jar(sources(artifact), pom.resolveSibling(artifact + "-sources.jar"));
    List<String> ends = new ArrayList<>(List.of(".pom", ".jar", "-sources.jar"));
    if (documented && artifact.equals(DOCUMENTED)) {
      ends.add("-javadoc.jar");
    }
    for (String end : ends) {
      Path source = pom.resolveSibling(artifact + end);
      Path target = folder.resolve(artifact + "-" + timed + end);
      Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
      sum(target);
    }
    if (snapshot) {
      Path metadata = folder.resolve("maven-metadata.xml");
      Files.writeString(metadata, metadata(artifact, timed, ends));
      sum(metadata);
    }
  }

  private static void sum(Path file) throws IOException, NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(file));
    Files.writeString(
        file.resolveSibling(file.getFileName() + ".sha1"), HexFormat.of().formatHex(digest));
  }

  private String metadata(String artifact, String timed, List<String> ends) {
    String updated = time.replace(".", "");
    String files =
        ends.stream().map(end -> file(end, timed, updated)).collect(Collectors.joining("\n      "));
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
          %s
        </snapshotVersions>
      </versioning>
    </metadata>
    """
        .formatted(group, artifact, version, time, updated, files);
  }

  /** Returns the entry of a file whose name ends in {@code end}, such as {@code -sources.jar}. */
  private static String file(String end, String timed, String updated) {
    int dot = end.indexOf('.');
    String classifier =
        dot == 0 ? "" : "<classifier>%s</classifier>".formatted(end.substring(1, dot));
    return "<snapshotVersion>%s<extension>%s</extension><value>%s</value><updated>%s</updated></snapshotVersion>"
        .formatted(classifier, end.substring(dot + 1), timed, updated);
  }
}
