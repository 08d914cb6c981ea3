package roll.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Reads the classes of a jar and loads those in the packages of its components, without running
 * them: the bundle that the jar would replace keeps running.
 */
final class ClassLoadCheck {
  private static final int LONGEST_CLASS = 1 << 25;
  private static final int MAGIC = 0xcafebabe;

  /** Maximum number of classes to load, which use memory outside the heap; others are read. */
  private static final int MOST_LOADED = 4_000;

  private static final Pattern NAME =
      Pattern.compile("(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*/)*[^/-]+\\.class");

  private final CandidateJar candidate;
  private final Bundle bundle;
  private final BundleWiring wiring;
  private final ReservedNames reserved;
  private final OptionalPackages optional;
  private final Collection<String> files;

  /** A trial of {@code bundle}, resolved and installed from the jar of {@code candidate}. */
  ClassLoadCheck(CandidateJar candidate, Bundle bundle, ReservedNames reserved) {
    this.candidate = candidate;
    this.bundle = bundle;
    this.wiring = Objects.requireNonNull(bundle.adapt(BundleWiring.class));
    this.reserved = reserved;
    this.optional = new OptionalPackages(wiring.getRevision());
    this.files =
        wiring.listResources(
            "/", "*.class", BundleWiring.LISTRESOURCES_LOCAL | BundleWiring.LISTRESOURCES_RECURSE);
  }

  /** Returns the first problem with the classes; empty if there is none. */
  Optional<String> trouble() {
    Set<String> own =
        candidate.implementations().stream()
            .map(ClassLoadCheck::packageOf)
            .collect(Collectors.toSet());
    List<String> names =
        files.stream()
            .filter(file -> NAME.matcher(file).matches())
            .map(ClassLoadCheck::name)
            .toList();
    Set<String> loaded = new TreeSet<>(candidate.implementations());
    names.stream()
        .filter(name -> own.contains(packageOf(name)))
        .limit(MOST_LOADED)
        .forEach(loaded::add);
    return first(names, this::unreadable)
        .or(() -> first(candidate.services(), this::foreign))
        .or(() -> first(loaded, this::unloadable));
  }

  private static Optional<String> first(
      Collection<String> names, Function<String, Optional<String>> trouble) {
    return names.stream().flatMap(name -> trouble.apply(name).stream()).findFirst();
  }

  private static String name(String file) {
    return file.substring(0, file.length() - ".class".length()).replace('/', '.');
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private Optional<String> unreadable(String name) {
    if (name.startsWith("roll.api.")) {
      return Optional.of(carries("roll.api", name));
    }
    try {
      byte[] bytes = bytes(name);
      int major = bytes.length < 8 ? 0 : ByteBuffer.wrap(bytes).getShort(6);
      if (major > ClassFile.latestMajorVersion() && ByteBuffer.wrap(bytes).getInt() == MAGIC) {
        return Optional.of(
            "its class %s requires Java %d, this is Java %d"
                .formatted(
                    name, major - ClassFile.JAVA_1_VERSION + 1, Runtime.version().feature()));
      }
      var unused = ClassFile.of().parse(bytes).attributes(); // reads to the end of the file
      return Optional.empty();
    } catch (IllegalArgumentException | IndexOutOfBoundsException | UncheckedIOException e) {
      return Optional.of("its class " + name + " cannot be read: " + e.getMessage());
    }
  }

  private static String carries(String what, String name) {
    return "it contains its own copy of %s (class %s), which is not the one that others use: import it"
        .formatted(what, name);
  }

  private byte[] bytes(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = wiring.getClassLoader().getResourceAsStream(file)) {
      return in == null ? new byte[0] : in.readNBytes(LONGEST_CLASS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a problem if the service interface differs from the one that others import. */
  private Optional<String> foreign(String name) {
    try {
      boolean own = FrameworkUtil.getBundle(bundle.loadClass(name)) == bundle;
      return own
          ? reserved.exporter(packageOf(name)).map(of -> carries(packageOf(name), name))
          : Optional.empty();
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.of("the service interface " + name + " is neither in the jar nor imported");
    }
  }

  private Optional<String> unloadable(String name) {
    try {
      var unused = bundle.loadClass(name).getDeclaredMethods(); // links the class
    } catch (ClassNotFoundException e) {
      return Optional.of("its class " + name + " is not in the jar");
    } catch (LinkageError e) {
      return optional.has(packageOf(missing(e)))
          ? Optional.empty()
          : Optional.of("its class " + name + " cannot be loaded: " + e);
    }
    return files.contains(name.replace('.', '/') + ".class")
        ? needed(name)
            .filter(type -> !optional.has(packageOf(type)) && !isThere(type))
            .findFirst()
            .map(
                type ->
                    "its class %s needs %s, which is neither in the jar nor imported"
                        .formatted(name, type))
        : Optional.empty();
  }

  /** Returns the class that {@code e} names, if any. */
  private static String missing(LinkageError e) {
    return String.valueOf(e.getMessage()).replaceFirst(" .*", "").replace('/', '.');
  }

  /** Returns the classes whose methods or fields {@code name} uses. */
  private Stream<String> needed(String name) {
    return StreamSupport.stream(
            ClassFile.of().parse(bytes(name)).constantPool().spliterator(), false)
        .filter(MemberRefEntry.class::isInstance)
        .map(entry -> ((MemberRefEntry) entry).owner().asInternalName().replace('/', '.'))
        .filter(type -> !type.startsWith("[") && !type.startsWith("java."))
        .distinct();
  }

  private boolean isThere(String type) {
    try {
      var unused = bundle.loadClass(type);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
