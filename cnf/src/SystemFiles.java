import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files of this machine for an image without a base: the JDK that runs this, a shell with the few
 * programs that the script {@code roll} and Kubernetes' init container call, the C and C++
 * libraries, a font for charts, and the licenses of their packages.
 */
record SystemFiles(Map<String, Path> files) {
  /** Folder of the JDK in the image. */
  static final String JDK = "/opt/jdk";

  private static final List<String> PROGRAMS =
      List.of(
          "sh",
          "cat",
          "cp",
          "dirname",
          "env",
          "kill",
          "ls",
          "mkdir",
          "mv",
          "nproc",
          "readlink",
          "rm",
          "sed",
          "setsid",
          "sleep",
          "stty",
          "uname");

  /** Libraries that libtorch, which is packed in a jar, and the JDK open. */
  private static final List<String> LIBRARIES =
      List.of(
          "libc.so.6",
          "libdl.so.2",
          "libfontconfig.so.1",
          "libgcc_s.so.1",
          "libm.so.6",
          "libpthread.so.0",
          "libresolv.so.2",
          "librt.so.1",
          "libstdc++.so.6");

  /** Parts of a JDK that no program of a server needs. */
  private static final Pattern UNUSED = Pattern.compile("(lib/src\\.zip|jmods/.*|man/.*|demo/.*)");

  private static final Pattern LINKED = Pattern.compile("(?:\\S+ => )?(/\\S+) \\(0x");
  private static final Pattern KNOWN = Pattern.compile("(?m)^\\s*(\\S+) \\((.*)\\) => (\\S+)$");

  /** Returns this machine's files by their path in the image. */
  static SystemFiles ofThisMachine() throws Exception {
    Map<String, Path> files = new TreeMap<>();
    List<Path> system = new ArrayList<>();
    for (String name : PROGRAMS) {
      Path program = program(name);
      files.put("/bin/" + name, program);
      system.add(program);
    }
    for (String name : LIBRARIES) {
      system.add(library(name));
    }
    for (Path file : List.copyOf(system)) {
      system.addAll(linked(file));
    }
    system.add(font());
    for (Path file : system) {
      if (!files.containsValue(file)) {
        files.put(file.toString(), file);
      }
    }
    for (Path text : licenses(system)) {
      files.put(text.toString(), text);
    }
    Path jdk = Path.of(System.getProperty("java.home"));
    try (Stream<Path> all = Files.walk(jdk, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = jdk.relativize(file).toString();
        if (!UNUSED.matcher(name).matches()) {
          files.put(JDK + "/" + name, file);
        }
      }
    }
    return new SystemFiles(files);
  }

  private static Path program(String name) throws Mistake {
    return Stream.of("/bin", "/usr/bin")
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new Mistake(1, "this machine has no program " + name));
  }

  /** Returns the library that the loader of this machine takes for 64-bit programs. */
  private static Path library(String name) throws Exception {
    return KNOWN
        .matcher(output("/sbin/ldconfig", "-p"))
        .results()
        .filter(line -> line.group(1).equals(name) && line.group(2).matches("libc6,.*64.*"))
        .map(line -> Path.of(line.group(3)))
        .findFirst()
        .orElseThrow(() -> new Mistake(1, "this machine has no library " + name));
  }

  private static Path font() throws Exception {
    Path font = Path.of(output(program("fc-match").toString(), "-f", "%{file}", "sans"));
    if (!Files.exists(font)) {
      throw new Mistake(1, "this machine has no font (fc-match sans)");
    }
    return font;
  }

  private static List<Path> linked(Path file) throws Exception {
    Matcher matcher = LINKED.matcher(output("ldd", file.toString()));
    return matcher.results().map(line -> Path.of(line.group(1))).toList();
  }

  /** Returns the licenses of the packages that the files belong to, where the system is Debian. */
  private static List<Path> licenses(List<Path> files) throws Exception {
    List<Path> texts = new ArrayList<>();
    if (!Files.isExecutable(Path.of("/usr/bin/dpkg-query"))) {
      return texts;
    }
    for (Path file : files) {
      // dpkg may know /usr/lib/x.so as /lib/x.so
      String path = file.toRealPath().toString().replaceFirst("^/usr/", "/");
      for (String line : output("dpkg-query", "--search", "*" + path).lines().toList()) {
        Path text = Path.of("/usr/share/doc", line.replaceAll("[:,].*", ""), "copyright");
        if (line.endsWith(path) && Files.exists(text)) {
          texts.add(text);
        }
      }
    }
    return texts;
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
