package roll.start;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Executable jars laid out as bnd writes them, and processes of them. */
final class Executable {
  private final Path folder;
  private final Path jar;

  Executable(Path folder) {
    this.folder = folder;
    this.jar = folder.resolve("a b+c%41/roll.jar");
  }

  /** The result of a process. */
  record End(int status, List<String> out, String err) {
    /** The file or folder that a line of the output names after {@code word}. */
    Path place(String word) {
      String line = out.stream().filter(l -> l.startsWith(word + " ")).findFirst().orElseThrow();
      String place = line.substring(word.length() + 1);
      return place.startsWith("file:") ? Path.of(java.net.URI.create(place)) : Path.of(place);
    }
  }

  /** Writes the jar; its bundle {@code plain} holds {@code content}. */
  void write(String content) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, "roll.start.StartMain");
    main.putValue("Embedded-Runpath", "jar/launcher.jar");
    Files.createDirectories(jar.getParent());
    Path part = jar.resolveSibling("part");
    try (OutputStream file = Files.newOutputStream(part);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      classes(StartMain.class, "roll/start", out);
      entry(out, "jar/launcher.jar", launcher());
      entry(out, "jar/plain.jar", content.getBytes(StandardCharsets.UTF_8));
      entry(out, "jar/nested.jar", nested());
      entry(out, "native/torch.jar", new byte[] {1});
    }
    Files.move(part, jar, StandardCopyOption.ATOMIC_MOVE);
  }

  private static byte[] launcher() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes, new Manifest())) {
      classes(aQute.launcher.Launcher.class, "aQute/launcher", out);
    }
    return bytes.toByteArray();
  }

  private static byte[] nested() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Bundle-ClassPath", ".,lib/inner.jar");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes, manifest)) {
      entry(out, "lib/inner.jar", "inner".getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static void classes(Class<?> one, String name, JarOutputStream out) throws IOException {
    String resource = one.getName().substring(one.getName().lastIndexOf('.') + 1) + ".class";
    Path classes;
    try {
      classes = Path.of(one.getResource(resource).toURI()).getParent();
    } catch (java.net.URISyntaxException e) {
      throw new IOException(e);
    }
    try (Stream<Path> files = Files.list(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entry(out, name + "/" + file.getFileName(), Files.readAllBytes(file));
      }
    }
  }

  private static void entry(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(content);
  }

  /** Starts a process whose cache is {@code cache}; its user's own and /tmp are in the folder. */
  Process start(Path cache, String argument) throws IOException {
    return start(cache, List.of("-Djava.io.tmpdir=" + folder.resolve("tmp")), argument);
  }

  /** The same, with options of the JVM instead of a folder of temporary files. */
  Process start(Path cache, List<String> options, String argument) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command(cache, options, argument));
    builder.environment().put("XDG_CACHE_HOME", folder.resolve("user").toString());
    return builder.start();
  }

  /** The command of such a process. */
  List<String> command(Path cache, List<String> options, String argument) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Droll.cache.dir=" + cache));
    command.addAll(options);
    command.addAll(List.of("-jar", jar.toString(), argument));
    return command;
  }

  /** Runs a process to its end. */
  End run(Path cache, String argument) throws IOException, InterruptedException {
    return end(start(cache, argument));
  }

  /** Waits for the end of a process. */
  static End end(Process process) throws IOException, InterruptedException {
    List<String> out = lines(process.getInputStream());
    String err = String.join("\n", lines(process.getErrorStream()));
    return new End(process.waitFor(), out, err);
  }

  private static List<String> lines(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
  }
}
