import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Packs the sources and the Javadoc of published artifacts as jars. */
class ApiDocs {
  private ApiDocs() {}

  /** Writes the files below {@code folder} in order of their names, with equal times. */
  static void jar(Path folder, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        ZipEntry entry = new ZipEntry(folder.relativize(file).toString().replace('\\', '/'));
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
      }
    }
  }

  /**
   * Writes one Javadoc of all {@code sources}.
   *
   * @param libraries folder with the jars to compile with
   * @throws IllegalStateException with the tool's output if it reports a warning
   */
  static void javadoc(List<Path> sources, Path libraries, Path jar) throws IOException {
    Path folder = Files.createTempDirectory("javadoc");
    try {
      List<String> arguments =
          new ArrayList<>(
              List.of("-quiet", "-Xdoclint:all,-missing", "-Werror", "-notimestamp", "-d"));
      arguments.add(folder.toString());
      arguments.add("-classpath");
      try (Stream<Path> jars = Files.list(libraries)) {
        arguments.add(joined(jars));
      }
      arguments.add("-sourcepath");
      arguments.add(joined(sources.stream()));
      arguments.addAll(List.of("-subpackages", "roll"));
      StringWriter said = new StringWriter();
      PrintWriter out = new PrintWriter(said);
      ToolProvider tool = ToolProvider.findFirst("javadoc").orElseThrow();
      if (tool.run(out, out, arguments.toArray(String[]::new)) != 0) {
        throw new IllegalStateException("javadoc: " + said);
      }
      jar(folder, jar);
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static String joined(Stream<Path> files) {
    return files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
