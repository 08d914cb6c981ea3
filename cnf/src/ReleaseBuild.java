import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Makes a release of the last commit: {@code ReleaseBuild [--dry-run] [<folder>]}, by default into
 * {@code target/release}, which is replaced. It builds a clone, whose versions lack {@code
 * -SNAPSHOT}; this tree does not change. Without {@code --dry-run} the clone must pass {@code
 * .ci/run}, and its commit gets a tag here. See docs/releasing.md.
 */
class ReleaseBuild {
  private static final Pattern SNAPSHOT =
      Pattern.compile("<artifactId>roll-parent</artifactId>\\s*<version>([\\d.]+)-SNAPSHOT<");
  private static final String FOLDER = "target/release";
  private static final String SUMS = "SHA256SUMS";

  private final Path root;
  private final Path folder;
  private final Path clone;
  private final String version;

  private ReleaseBuild(Path root, Path folder, String version) {
    this.root = root;
    this.folder = folder;
    this.clone = folder.resolve("source");
    this.version = version;
  }

  static void main(String[] arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(arguments));
    boolean dry = words.remove("--dry-run");
    Path root = Path.of("").toAbsolutePath();
    Path folder = root.resolve(words.isEmpty() ? FOLDER : words.getFirst());
    try {
      if (words.size() > 1 || words.stream().anyMatch(word -> word.startsWith("-"))) {
        throw new Mistake(2, "usage: dev release [--dry-run] [<folder>]");
      }
      ReleaseBuild release = new ReleaseBuild(root, folder, version(root));
      release.check(dry);
      release.run(dry);
    } catch (Mistake e) {
      System.err.println("dev: " + e.getMessage());
      System.exit(e.status);
    }
  }

  /** Returns the version of the next release, which the root's pom has as a snapshot. */
  private static String version(Path root) throws IOException, Mistake {
    Matcher snapshot = SNAPSHOT.matcher(Files.readString(root.resolve("pom.xml")));
    if (!snapshot.find()) {
      throw new Mistake(2, "pom.xml: the version does not end in -SNAPSHOT");
    }
    return snapshot.group(1);
  }

  private void check(boolean dry) throws Exception {
    boolean own = folder.equals(root.resolve(FOLDER));
    if (!own && Files.exists(folder) && !empty(folder)) {
      throw new Mistake(2, folder + " is not empty");
    }
    if (!dry && !Commands.output(root, "git", "status", "--porcelain").isEmpty()) {
      throw new Mistake(2, "there are changes that are not committed");
    }
    if (!dry && !Commands.output(root, "git", "tag", "--list", tag()).isEmpty()) {
      throw new Mistake(2, "there is a tag " + tag() + " already");
    }
    if (!Commands.onPath("xz")) {
      throw new Mistake(2, "there is no program xz");
    }
  }

  private static boolean empty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private String tag() {
    return "v" + version;
  }

  private void run(boolean dry) throws Exception {
    RunFiles.delete(folder);
    Files.createDirectories(folder);
    Commands.call(root, "git", "clone", "--quiet", root.toString(), clone.toString());
    setVersions();
    if (!dry) {
      Commands.call(clone, ".ci/run");
    }
    ReleasePlatforms platforms = ReleasePlatforms.of(clone);
    platforms.build(platforms.own());
    Path launch = clone.resolve("launch/target");
    for (Path archive : files(launch.resolve("release"))) {
      take(archive);
    }
    for (var name :
        Map.of("archive", "", "roll", "-image", "core", "-core", "frozen-lake", "-frozen-lake")
            .entrySet()) {
      Files.copy(
          launch.resolve(name.getKey() + ".cdx.json"),
          folder.resolve("roll" + name.getValue() + "-" + version + ".cdx.json"));
    }
    copy(launch.resolve("dist/repository"), folder.resolve("maven"));
    index(launch.resolve("roll.jar"));
    Commands.call(
        clone, "./dev", "image", folder.resolve("roll-" + version + ".oci.tar").toString());
    for (String platform : platforms.others()) {
      platforms.build(platform);
      take(launch.resolve("release/roll-" + version + "-" + platform + ".zip"));
    }
    List<Path> released = new ArrayList<>(files(folder));
    Path sums = folder.resolve(SUMS);
    Files.writeString(
        sums, Commands.output(folder, Commands.command("sha256sum", names(released))));
    released.add(sums);
    sign(folder, names(released));
    sign(folder.resolve("osgi"), List.of("index.xml"));
    for (Path file : files(folder)) {
      System.out.printf("%,13d %s%n", Files.size(file), root.relativize(file));
    }
    ReleaseSizes.check(clone.resolve("docs/releasing.md"), folder, version);
    if (!dry) {
      tagged();
    }
  }

  /** Moves an archive here, compressed if it is not. */
  private void take(Path archive) throws Exception {
    Path target = Files.move(archive, folder.resolve(archive.getFileName()));
    if (target.toString().endsWith(".tar")) {
      // the number of threads decides the bytes
      Commands.call(folder, "xz", "--threads=2", target.toString());
    }
  }

  private void setVersions() throws Exception {
    for (String name :
        Commands.output(clone, "git", "ls-files", "*pom.xml", "NOTICE", "launch/kubernetes")
            .lines()
            .toList()) {
      Path file = clone.resolve(name);
      String text = Files.readString(file);
      Files.writeString(
          file,
          text.replace(version + "-SNAPSHOT", version).replace(version + ".SNAPSHOT", version));
    }
  }

  /** Writes the bundles of the largest distribution, as an OSGi repository. */
  private void index(Path jar) throws Exception {
    Path osgi = Files.createDirectories(folder.resolve("osgi"));
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (var entry : zip.stream().toList()) {
        if (entry.getName().matches("jar/.*\\.jar")) {
          try (InputStream content = zip.getInputStream(entry)) {
            JarRepacker.pack(content, osgi.resolve(entry.getName().substring("jar/".length())));
          }
        }
      }
    }
    List<String> arguments = new ArrayList<>(List.of("index", "-n", "roll"));
    arguments.addAll(names(files(osgi)));
    String bnd = clone.resolve("cnf/src/bnd.sh").toString();
    Commands.call(osgi, Commands.command(bnd, arguments));
    if (!Files.exists(osgi.resolve("index.xml"))) { // bnd's status says nothing
      throw new Mistake(1, "bnd wrote no index of " + osgi);
    }
    // bnd writes the time of the build
    String time = Commands.output(clone, "git", "log", "-1", "--format=%ct").strip() + "000";
    Path written = osgi.resolve("index.xml");
    Files.writeString(
        written,
        Files.readString(written)
            .replaceFirst(" increment=\"\\d+\"", " increment=\"" + time + "\""));
  }

  /** Signs files with the key of whoever releases, if there is one. */
  private void sign(Path place, List<String> files) throws Exception {
    if (!Commands.onPath("gpg")
        || !Commands.output(folder, "gpg", "--list-secret-keys", "--with-colons")
            .contains("sec:")) {
      System.out.println("no gpg key, no signatures");
      return;
    }
    for (String file : files) {
      Commands.call(place, "gpg", "--yes", "--armor", "--detach-sign", file);
    }
  }

  /** Commits the versions and the contract in the clone, and gives this tree the tag. */
  private void tagged() throws Exception {
    Commands.call(
        clone,
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "cnf/src/Release.java");
    Commands.call(clone, "git", "commit", "--quiet", "--all", "--message", "release: " + version);
    Commands.call(clone, "git", "tag", "--annotate", tag(), "--message", "roll " + version);
    Commands.call(clone, "git", "push", "--quiet", "origin", tag());
  }

  private static void copy(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(source.relativize(file).toString()));
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<String> names(List<Path> files) {
    return files.stream().map(file -> file.getFileName().toString()).toList();
  }
}
