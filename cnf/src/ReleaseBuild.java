import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
    if (!dry && !output(root, "git", "status", "--porcelain").isEmpty()) {
      throw new Mistake(2, "there are changes that are not committed");
    }
    if (!dry && !output(root, "git", "tag", "--list", tag()).isEmpty()) {
      throw new Mistake(2, "there is a tag " + tag() + " already");
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
    call(root, "git", "clone", "--quiet", root.toString(), clone.toString());
    setVersions();
    if (!dry) {
      call(clone, ".ci/run");
    }
    call(
        clone,
        "mvn -B -ntp -q -Prelease -Dmaven.test.skip=true -Denforcer.skip=true -Dexec.skip=true package"
            .split(" "));
    Path launch = clone.resolve("launch/target");
    for (Path archive : files(launch.resolve("release"))) {
      Files.move(archive, folder.resolve(archive.getFileName()));
    }
    for (var name : Map.of("roll", "", "core", "-core", "frozen-lake", "-frozen-lake").entrySet()) {
      Files.copy(
          launch.resolve(name.getKey() + ".cdx.json"),
          folder.resolve("roll" + name.getValue() + "-" + version + ".cdx.json"));
    }
    copy(launch.resolve("dist/repository"), folder.resolve("maven"));
    index(launch.resolve("roll.jar"));
    List<Path> released = new ArrayList<>(files(folder));
    Path sums = folder.resolve(SUMS);
    Files.writeString(sums, output(folder, command("sha256sum", names(released))));
    released.add(sums);
    sign(folder, names(released));
    sign(folder.resolve("osgi"), List.of("index.xml"));
    if (!dry) {
      tagged();
    }
    for (Path file : files(folder)) {
      System.out.printf("%,13d %s%n", Files.size(file), root.relativize(file));
    }
  }

  private void setVersions() throws Exception {
    for (String name : output(clone, "git", "ls-files", "*pom.xml", "NOTICE").lines().toList()) {
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
            Files.copy(content, osgi.resolve(entry.getName().substring("jar/".length())));
          }
        }
      }
    }
    List<String> arguments = new ArrayList<>(List.of("index", "-n", "roll"));
    arguments.addAll(names(files(osgi)));
    String bnd = clone.resolve("cnf/src/bnd.sh").toString();
    call(osgi, command(bnd, arguments));
    if (!Files.exists(osgi.resolve("index.xml"))) { // bnd's status says nothing
      throw new Mistake(1, "bnd wrote no index of " + osgi);
    }
  }

  /** Signs files with the key of whoever releases, if there is one. */
  private void sign(Path place, List<String> files) throws Exception {
    if (!onPath("gpg")
        || !output(folder, "gpg", "--list-secret-keys", "--with-colons").contains("sec:")) {
      System.out.println("no gpg key, no signatures");
      return;
    }
    for (String file : files) {
      call(place, "gpg", "--yes", "--armor", "--detach-sign", file);
    }
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** Commits the versions and the contract in the clone, and gives this tree the tag. */
  private void tagged() throws Exception {
    call(
        clone,
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "cnf/src/Release.java");
    call(clone, "git", "commit", "--quiet", "--all", "--message", "release: " + version);
    call(clone, "git", "tag", "--annotate", tag(), "--message", "roll " + version);
    call(clone, "git", "push", "--quiet", "origin", tag());
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

  private static String[] command(String program, List<String> arguments) {
    return Stream.concat(Stream.of(program), arguments.stream()).toArray(String[]::new);
  }

  /** Runs a command, whose output is shown. */
  private static void call(Path folder, String... command) throws Exception {
    ProcessBuilder process = builder(folder, command).inheritIO();
    if (process.start().waitFor() != 0) {
      throw new Mistake(1, String.join(" ", command) + " failed in " + folder);
    }
  }

  /** Returns what a command prints. */
  private static String output(Path folder, String... command) throws Exception {
    Process process =
        builder(folder, command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new Mistake(1, String.join(" ", command) + " failed in " + folder);
    }
    return output;
  }

  private static ProcessBuilder builder(Path folder, String... command) {
    ProcessBuilder process = new ProcessBuilder(command).directory(folder.toFile());
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return process;
  }
}
