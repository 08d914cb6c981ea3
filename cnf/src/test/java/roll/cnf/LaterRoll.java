package roll.cnf;

import aQute.bnd.header.Attrs;
import aQute.bnd.header.OSGiHeader;
import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Processor;
import aQute.bnd.version.Version;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * The distribution frozen-lake after {@code AdvantageEstimator} has got another method: its package
 * has a new version, and all bundles are built against it.
 */
final class LaterRoll implements AutoCloseable {
  private static final Path LAUNCH = Path.of(System.getProperty("roll.root"), "launch");
  private static final String PACKAGE = "roll.api.estimator";
  private static final String TYPE = "roll/api/estimator/AdvantageEstimator.class";
  private static final String METHOD = "later";
  private static final List<String> LINKS = List.of("etc", "native");

  private final Path folder;
  private final boolean major;
  private final Version version;

  private LaterRoll(Path folder, boolean major) throws IOException {
    this.folder = folder;
    this.major = major;
    Version now = Contract.built().version(PACKAGE);
    this.version =
        major
            ? new Version(now.getMajor() + 1, 0, 0)
            : new Version(now.getMajor(), now.getMinor() + 1, 0);
  }

  /** Adds a method with a body: a minor step. */
  static LaterRoll minor(Path folder) throws IOException {
    return new LaterRoll(folder, false).make();
  }

  /** Adds an abstract method: a major step. */
  static LaterRoll major(Path folder) throws IOException {
    return new LaterRoll(folder, true).make();
  }

  private LaterRoll make() throws IOException {
    Files.createDirectories(folder);
    Files.copy(LAUNCH.resolve("target/dist/roll"), folder.resolve("roll"));
    for (String link : LINKS) {
      Files.createSymbolicLink(folder.resolve(link), LAUNCH.resolve("target/dist").resolve(link));
    }
    Path jar = Files.copy(LAUNCH.resolve("target/frozen-lake.jar"), folder.resolve("roll.jar"));
    try (FileSystem zip = FileSystems.newFileSystem(jar);
        Stream<Path> bundles = Files.list(zip.getPath("jar"))) {
      for (Path bundle : bundles.toList()) {
        if (bundle.getFileName().toString().startsWith("roll.")) {
          Files.write(bundle, later(Files.readAllBytes(bundle)));
        }
      }
    }
    return this;
  }

  /** Runs {@code command}; returns its status and output. */
  String run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(folder.resolve("roll").toString());
    builder.command().addAll(List.of(command));
    builder.environment().put("ROLL_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("OMP_NUM_THREADS", "1");
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + ": " + said;
  }

  /** Deletes links out of the folder. */
  @Override
  public void close() throws IOException {
    for (String link : LINKS) {
      Files.delete(folder.resolve(link));
    }
  }

  private byte[] later(byte[] bundle) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(bundle))) {
      Manifest manifest = in.getManifest();
      restamp(manifest, "Export-Package", version.toString());
      restamp(manifest, "Import-Package", "[%s,%d)".formatted(version, version.getMajor() + 1));
      try (JarOutputStream out = new JarOutputStream(bytes, manifest)) {
        for (JarEntry entry; (entry = in.getNextJarEntry()) != null; ) {
          out.putNextEntry(new JarEntry(entry.getName()));
          out.write(entry.getName().equals(TYPE) ? more(in) : in.readAllBytes());
        }
      }
    }
    return bytes.toByteArray();
  }

  private static void restamp(Manifest manifest, String header, String version) throws IOException {
    String value = manifest.getMainAttributes().getValue(header);
    if (value != null) {
      Parameters clauses = OSGiHeader.parseHeader(value);
      Attrs attributes = clauses.get(PACKAGE);
      if (attributes != null) {
        attributes.put("version", version);
        manifest.getMainAttributes().putValue(header, Processor.printClauses(clauses));
      }
    }
  }

  private byte[] more(InputStream type) throws IOException {
    MethodTypeDesc nothing = MethodTypeDesc.of(ConstantDescs.CD_void);
    ClassFile classes = ClassFile.of();
    return classes.transformClass(
        classes.parse(type.readAllBytes()),
        ClassTransform.endHandler(
            builder -> {
              if (major) {
                builder.withMethod(
                    METHOD, nothing, ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT, m -> {});
              } else {
                builder.withMethodBody(METHOD, nothing, ClassFile.ACC_PUBLIC, c -> c.return_());
              }
            }));
  }
}
