import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.EnclosingMethodAttribute;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes the contract that is released: {@code Release [<bundles> <released>]}, by default {@code
 * bundles cnf/released}. Of each bundle in {@code <bundles>} that exports packages of ours it takes
 * what the build left in {@code target/classes} and writes {@code <released>/<bundle>.jar}: the
 * exported classes without code and without what is private, and a manifest with the versions of
 * the packages. A jar without a bundle is deleted. Same classes, same bytes. It prints the versions
 * that move.
 */
public final class Release {
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
  private static final int SEEN = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED;
  private static final Pattern EXPORT =
      Pattern.compile("(?:^|,)(roll(?:\\.\\w+)*)((?:;[\\w.:-]+=(?:\"[^\"]*\"|[^;,\"]*))*)");
  private static final Pattern VERSION = Pattern.compile(";version=\"?([\\w.]+)\"?");

  private Release() {}

  /** Runs the program as described for the class. */
  public static void main(String[] args) throws IOException {
    Path bundles = Path.of(args.length > 0 ? args[0] : "bundles");
    Path released = Path.of(args.length > 1 ? args[1] : "cnf/released");
    Files.createDirectories(released);
    List<Path> built = new ArrayList<>();
    for (Path bundle : list(bundles)) {
      if (Files.exists(bundle.resolve("pom.xml"))) {
        built.add(bundle.resolve("target/classes"));
        if (!Files.exists(built.getLast().resolve(JarFile.MANIFEST_NAME))) {
          System.err.println(bundle + " is not built");
          System.exit(1);
        }
      }
    }
    for (Path classes : built) {
      release(classes, released);
    }
    for (Path jar : list(released)) {
      String bundle = jar.getFileName().toString().replaceFirst("\\.jar$", "");
      if (!Files.exists(bundles.resolve(bundle).resolve("pom.xml"))) {
        Files.delete(jar);
        System.out.println(bundle + " is gone");
      }
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  private static void release(Path classes, Path released) throws IOException {
    Attributes built = manifest(Files.newInputStream(classes.resolve(JarFile.MANIFEST_NAME)));
    SortedMap<String, String> exports = exports(built);
    if (exports.isEmpty()) {
      return;
    }
    String name = built.getValue("Bundle-SymbolicName");
    Path jar = released.resolve(name + ".jar");
    SortedMap<String, String> before = new TreeMap<>();
    if (Files.exists(jar)) {
      try (JarFile old = new JarFile(jar.toFile())) {
        before = exports(old.getManifest().getMainAttributes());
      }
    }
    SortedMap<String, byte[]> entries = new TreeMap<>();
    Map<String, ClassModel> contract = contract(classes, exports);
    contract.forEach((type, model) -> entries.put(type + ".class", bare(model, contract.keySet())));
    Files.write(jar, zip(header(name, built.getValue("Bundle-Version"), exports), entries));
    tell(name, before, exports);
  }

  private static void tell(String name, Map<String, String> before, Map<String, String> after) {
    after.forEach(
        (exported, version) -> {
          String old = before.get(exported);
          if (!version.equals(old)) {
            System.out.println(
                name + ": " + exported + " " + (old == null ? "" : old + " → ") + version);
          }
        });
    before.keySet().stream()
        .filter(exported -> !after.containsKey(exported))
        .forEach(exported -> System.out.println(name + ": " + exported + " is gone"));
  }

  private static Attributes manifest(InputStream in) throws IOException {
    try (in) {
      return new Manifest(in).getMainAttributes();
    }
  }

  /** Returns this project's exported packages with their versions. */
  private static SortedMap<String, String> exports(Attributes headers) {
    SortedMap<String, String> versions = new TreeMap<>();
    String header = headers.getValue("Export-Package");
    if (header != null) {
      EXPORT
          .matcher(header)
          .results()
          .forEach(
              clause -> {
                var version = VERSION.matcher(clause.group(2));
                versions.put(clause.group(1), version.find() ? version.group(1) : "0.0.0");
              });
    }
    return versions;
  }

  /**
   * Returns the public classes of the packages, and the bundle's classes that they inherit from.
   */
  private static Map<String, ClassModel> contract(Path classes, Map<String, String> exports)
      throws IOException {
    Map<String, ClassModel> contract = new TreeMap<>();
    Deque<String> open = new ArrayDeque<>();
    for (String exported : exports.keySet()) {
      String folder = exported.replace('.', '/');
      try (Stream<Path> files = Files.list(classes.resolve(folder))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(file -> file.endsWith(".class"))
            .map(file -> folder + "/" + file.substring(0, file.length() - ".class".length()))
            .forEach(open::add);
      }
    }
    for (String type; (type = open.poll()) != null; ) {
      Path file = classes.resolve(type + ".class");
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      boolean inherited = contract.values().stream().anyMatch(heir -> inherits(heir, model));
      boolean shown = (model.flags().flagsMask() & ClassFile.ACC_PUBLIC) != 0;
      if ((shown || inherited || type.endsWith("/package-info"))
          && contract.put(type, model) == null) {
        parents(model)
            .map(ClassEntry::asInternalName)
            .filter(parent -> Files.exists(classes.resolve(parent + ".class")))
            .filter(parent -> !contract.containsKey(parent))
            .forEach(open::add);
      }
    }
    return contract;
  }

  private static boolean inherits(ClassModel heir, ClassModel type) {
    return parents(heir).anyMatch(type.thisClass()::equals);
  }

  private static Stream<ClassEntry> parents(ClassModel model) {
    return Stream.concat(model.superclass().stream(), model.interfaces().stream());
  }

  /**
   * Returns the class without code and private members, with the nested classes that it mentions.
   */
  private static byte[] bare(ClassModel model, Set<String> contract) {
    Set<String> words = new HashSet<>();
    ClassFile.of()
        .parse(bare(model, _ -> false))
        .constantPool()
        .forEach(
            constant -> {
              if (constant instanceof Utf8Entry text) {
                words.add(text.stringValue());
              }
            });
    return bare(
        model,
        nested ->
            contract.contains(nested)
                || words.stream().anyMatch(word -> word.contains("L" + nested)));
  }

  private static byte[] bare(ClassModel model, Predicate<String> nested) {
    ClassTransform members =
        (builder, element) -> {
          switch (element) {
            case MethodModel method when (method.flags().flagsMask() & SEEN) == 0 -> {}
            case MethodModel method ->
                builder.transformMethod(
                    method,
                    MethodTransform.dropping(
                        part ->
                            part instanceof CodeModel
                                || part instanceof MethodParametersAttribute));
            case FieldModel field when (field.flags().flagsMask() & SEEN) == 0 -> {}
            case InnerClassesAttribute inner -> {
              List<InnerClassInfo> told =
                  inner.classes().stream()
                      .filter(info -> nested.test(info.innerClass().asInternalName()))
                      .toList();
              if (!told.isEmpty()) {
                builder.with(InnerClassesAttribute.of(told));
              }
            }
            case SourceFileAttribute _, NestHostAttribute _, NestMembersAttribute _ -> {}
            case EnclosingMethodAttribute _ -> {}
            default -> builder.with(element);
          }
        };
    return ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL)
        .transformClass(model, members);
  }

  private static Manifest header(String name, String version, Map<String, String> exports) {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.putValue("Bundle-ManifestVersion", "2");
    headers.putValue("Bundle-SymbolicName", name);
    headers.putValue("Bundle-Version", version.replaceFirst("^(\\d+\\.\\d+\\.\\d+).*", "$1"));
    StringBuilder clauses = new StringBuilder();
    exports.forEach(
        (exported, v) ->
            clauses
                .append(clauses.isEmpty() ? "" : ",")
                .append(exported)
                .append(";version=\"")
                .append(v)
                .append('"'));
    headers.putValue("Export-Package", clauses.toString());
    return manifest;
  }

  /** Writes an uncompressed zip: compressors differ, and git compresses by itself. */
  private static byte[] zip(Manifest manifest, SortedMap<String, byte[]> entries)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    manifest.write(header);
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      store(out, JarFile.MANIFEST_NAME, header.toByteArray());
      for (var entry : entries.entrySet()) {
        store(out, entry.getKey(), entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static void store(ZipOutputStream out, String name, byte[] content) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setTimeLocal(TIME);
    entry.setSize(content.length);
    entry.setCrc(sum.getValue());
    out.putNextEntry(entry);
    out.write(content);
  }
}
