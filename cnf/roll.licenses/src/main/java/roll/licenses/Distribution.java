package roll.licenses;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Adds {@code NOTICE}, {@code LICENSE} and {@code licenses/} to bnd's executable jars, from the
 * checked bundles in them, and with {@code -Droll.bill=true} writes a bill of materials next to
 * each ({@code roll.cdx.json} for {@code roll.jar}). {@code roll.assemble} reads the notices. All
 * entries of a jar get the same time, so that equal bundles give an equal jar.
 */
public final class Distribution {
  /** The earliest time that a zip can name, in every time zone. */
  private static final FileTime TIME = FileTime.from(Instant.parse("1980-01-02T00:00:00Z"));

  /** The system property that asks for bills of materials, which take seconds. */
  private static final String BILL = "roll.bill";

  private static final String HEAD =
      """
      roll
      Copyright 2026 the authors of roll. Licensed under the Apache License 2.0 (LICENSE).

      Its bundles are named roll.*. This notice lists the libraries in each jar with their licenses, whose texts are
      in licenses/ and in META-INF of each bundle of roll.
      """;

  private final Libraries known;
  private final Path natives;
  private final List<String> complaints = new ArrayList<>();
  private final Map<String, String> described = new HashMap<>();

  private Distribution(Libraries known, Path natives) {
    this.known = known;
    this.natives = natives;
  }

  /**
   * Arguments: the source tree's {@code licenses}, the folder with libtorch's jar, the output
   * folder of the first jar's files, the jars.
   */
  public static void main(String[] args) throws IOException {
    Distribution distribution =
        new Distribution(Libraries.in(Path.of(args[0]).toRealPath()), Path.of(args[1]));
    for (int i = args.length - 1; i > 2; i--) {
      Map<String, byte[]> files = distribution.files(Path.of(args[i]));
      distribution.complaints.forEach(System.err::println);
      if (!distribution.complaints.isEmpty()) {
        System.exit(1);
      }
      write(Path.of(args[i]), files);
      if (i == 3) {
        delete(Path.of(args[2]).resolve("licenses"));
        files.forEach((name, content) -> put(Path.of(args[2]).resolve(name), content));
      }
    }
  }

  /** Returns the files to add to the jar. */
  private Map<String, byte[]> files(Path jar) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    StringBuilder notice = new StringBuilder(HEAD);
    BillOfMaterials bill = new BillOfMaterials(known);
    for (NestedJar bundle : bundles(jar)) {
      String title = bundle.name() + " " + bundle.header("Bundle-Version");
      if (bundle.ours()) {
        check(jar, bundle);
        bill.add(bundle);
        section(notice, title, Notice.lines(bundle.text("META-INF/NOTICE")));
        bundle.entries().forEach((name, text) -> gather(files, name, text));
        if (bundle.name().equals("roll.djl")) {
          List<Library> natives = natives(files);
          section(notice, "native", Notice.lines(natives));
          natives.forEach(bill::add);
        }
      } else {
        Library library = foreign(bundle);
        bill.add(library, bundle);
        section(notice, title, Notice.lines(List.of(library)));
        texts(files, library);
      }
    }
    if (Boolean.getBoolean(BILL)) {
      String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
      bill.write(name, jar.resolveSibling(name + ".cdx.json"));
    }
    files.put("NOTICE", notice.toString().getBytes(StandardCharsets.UTF_8));
    files.put("LICENSE", Files.readAllBytes(known.folder().resolveSibling("LICENSE")));
    return files;
  }

  private static void section(StringBuilder notice, String title, String lines) {
    if (!lines.isEmpty()) {
      notice.append("\n== ").append(title).append('\n').append(lines);
    }
  }

  private static void gather(Map<String, byte[]> files, String entry, byte[] content) {
    if (entry.startsWith("META-INF/licenses/")) {
      files.put(entry.substring("META-INF/".length()), content);
    }
  }

  private void check(Path jar, NestedJar bundle) {
    for (String complaint : new LicenseAudit(known).complaints(bundle)) {
      complaints.add(jar.getFileName() + ": " + bundle.name() + " " + complaint);
    }
    String other = described.putIfAbsent(bundle.header("Bundle-Description"), bundle.name());
    if (other != null && !other.equals(bundle.name())) {
      complaints.add(bundle.name() + " has the Bundle-Description of " + other);
    }
  }

  /** Returns the library that a foreign bundle is, by the beginning of its symbolic name. */
  private Library foreign(NestedJar bundle) throws IOException {
    String stem = bundle.file().replaceFirst("\\.jar$", "");
    String artifact = stem.replaceFirst("-\\d.*", "");
    Path copy = Files.createTempFile("bundle", ".jar");
    Files.write(copy, bundle.content());
    copy.toFile().deleteOnExit();
    return of(bundle.name(), artifact, stem.substring(artifact.length() + 1), copy);
  }

  private Library of(String name, String artifact, String version, Path jar) throws IOException {
    List<LibraryFamily> fitting =
        known.families().stream()
            .filter(family -> family.packages().stream().anyMatch(name::startsWith))
            .toList();
    LibraryFamily family =
        fitting.stream()
            .filter(f -> name.startsWith(f.group()))
            .findFirst()
            .or(() -> fitting.stream().findFirst())
            .orElseThrow(() -> new IOException(name + " is not in licenses/" + Libraries.LIST));
    return new Library(family, family.group(), artifact, version, jar);
  }

  private List<Library> natives(Map<String, byte[]> files) throws IOException {
    List<Library> libraries = new ArrayList<>();
    try (Stream<Path> jars = Files.list(natives)) {
      for (Path jar : jars.sorted().toList()) {
        String stem =
            jar.getFileName().toString().replaceFirst("(-(linux|osx|win)-.*)?\\.jar$", "");
        String artifact = stem.replaceFirst("-\\d.*", "");
        LibraryFamily family =
            known.families().stream()
                .filter(f -> f.artifact().equals(artifact))
                .findFirst()
                .orElseThrow(() -> new IOException(stem + " is not in licenses/" + Libraries.LIST));
        String version = stem.substring(artifact.length() + 1);
        Library library = new Library(family, family.group(), artifact, version, jar);
        libraries.add(library);
        texts(files, library);
      }
    }
    return libraries;
  }

  private void texts(Map<String, byte[]> files, Library library) throws IOException {
    new LicenseTexts(known.folder())
        .of(library)
        .forEach((name, text) -> files.put("licenses/" + name, text));
  }

  private static List<NestedJar> bundles(Path jar) throws IOException {
    List<NestedJar> bundles = new ArrayList<>();
    try (FileSystem zip = open(jar);
        Stream<Path> files = Files.list(zip.getPath("jar"))) {
      for (Path file : files.sorted().toList()) {
        bundles.add(NestedJar.of(file.getFileName().toString(), Files.readAllBytes(file)));
      }
    }
    return bundles;
  }

  /** Deletes the files of an earlier build, whose libraries may differ. */
  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void write(Path jar, Map<String, byte[]> files) throws IOException {
    Set<String> names = new TreeSet<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream().map(ZipEntry::getName).forEach(names::add);
    }
    try (FileSystem zip = open(jar)) {
      files.forEach((name, content) -> put(zip.getPath("/" + name), content));
      // Files before their folders, which the file system cannot do the other way round.
      Set<Path> entries = new TreeSet<>(Comparator.reverseOrder());
      names.forEach(name -> entries.add(zip.getPath("/" + name)));
      for (String name : files.keySet()) {
        Path at = zip.getPath("/" + name);
        while (at != null && at.getNameCount() > 0) {
          entries.add(at);
          at = at.getParent();
        }
      }
      for (Path entry : entries) {
        Files.getFileAttributeView(entry, BasicFileAttributeView.class).setTimes(TIME, TIME, TIME);
      }
    }
  }

  private static FileSystem open(Path jar) throws IOException {
    return FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
  }

  private static void put(Path file, byte[] content) {
    try {
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
