package roll.deploy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Constants;
import roll.api.option.UserException;

/**
 * Checks the parts of a jar that the framework and SCR read: no path may leave the jar, no content
 * may be unbounded, and nothing may take effect on installation.
 */
final class JarContents {
  private static final int MOST_ENTRIES = 200_000;
  private static final int LONGEST_TEXT = 1 << 20;
  private static final long MOST_BYTES = 4L << 30;

  private final Path jar;
  private final ZipFile zip;
  private final Set<String> implementations = new LinkedHashSet<>();
  private final Set<String> services = new LinkedHashSet<>();

  private JarContents(Path jar, ZipFile zip) {
    this.jar = jar;
    this.zip = zip;
  }

  /**
   * The manifest and the component descriptions.
   *
   * @param headers of the manifest
   * @param implementations classes that the framework and SCR instantiate
   * @param services service interfaces of the components
   */
  record Found(Attributes headers, Set<String> implementations, Set<String> services) {}

  /**
   * Checks {@code jar} and returns its metadata.
   *
   * @throws UserException with the first problem
   */
  static Found check(Path jar) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      JarContents contents = new JarContents(jar, zip);
      contents.entries();
      Attributes headers = contents.headers();
      contents.descriptions(headers);
      String activator = headers.getValue(Constants.BUNDLE_ACTIVATOR);
      if (activator != null) {
        contents.implementations.add(activator.strip());
      }
      return new Found(headers, contents.implementations, contents.services);
    } catch (IOException | IllegalArgumentException e) {
      throw CandidateJar.refusal(jar, "not a jar (" + e.getMessage() + ")");
    }
  }

  private void entries() {
    long bytes = 0;
    int count = 0;
    for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
      ZipEntry entry = all.nextElement();
      if (leaves(entry.getName())) {
        throw CandidateJar.refusal(jar, "its entry '" + entry.getName() + "' leaves the jar");
      }
      bytes += Math.max(0, entry.getSize());
      if (++count > MOST_ENTRIES || bytes > MOST_BYTES) {
        throw CandidateJar.refusal(
            jar, "it has more than %,d entries or 4 GB".formatted(MOST_ENTRIES));
      }
    }
  }

  private static boolean leaves(String path) {
    return path.startsWith("/")
        || path.contains("\\")
        || path.chars().anyMatch(Character::isISOControl)
        || List.of(path.split("/")).contains("..");
  }

  private Attributes headers() throws IOException {
    ZipEntry entry = zip.getEntry(JarFile.MANIFEST_NAME);
    if (entry == null) {
      throw CandidateJar.refusal(jar, "it has no META-INF/MANIFEST.MF");
    }
    byte[] text = bounded(entry);
    Attributes headers = new Manifest(new ByteArrayInputStream(text)).getMainAttributes();
    for (String header : List.of(Constants.BUNDLE_CLASSPATH, Constants.BUNDLE_NATIVECODE)) {
      String value = headers.getValue(header);
      if (value != null && Stream.of(value.split("[,;]")).anyMatch(path -> leaves(path.strip()))) {
        throw CandidateJar.refusal(jar, header + " '" + value + "' leaves the jar");
      }
    }
    // also finds headers that the framework reads and java.util.jar does not
    String unfolded = new String(text, StandardCharsets.UTF_8).replaceAll("\\R ", "");
    if (unfolded.toLowerCase(Locale.ROOT).contains("fragment-host")) {
      throw CandidateJar.refusal(
          jar,
          "it is a fragment (Fragment-Host), which would become part of another bundle: make it an"
              + " independent bundle");
    }
    return headers;
  }

  private void descriptions(Attributes headers) throws IOException {
    String components = headers.getValue("Service-Component");
    List<String> places =
        components == null
            ? List.of()
            : Stream.of(components.split(","))
                .map(path -> path.replaceFirst(";.*", "").strip())
                .toList();
    for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
      ZipEntry entry = all.nextElement();
      String name = entry.getName();
      boolean read =
          (name.startsWith("OSGI-INF/") && name.endsWith(".xml"))
              || places.stream().anyMatch(place -> describes(place, name));
      if (read && !entry.isDirectory()) {
        description(name, bounded(entry));
      }
    }
  }

  /** Returns whether {@code place}, which may end with a pattern, matches {@code name}. */
  private static boolean describes(String place, String name) {
    String path = place.startsWith("/") ? place.substring(1) : place;
    return path.contains("*")
        ? name.startsWith(path.substring(0, path.lastIndexOf('/') + 1))
        : name.equals(path);
  }

  /** Parses a description; a document type could read files and hosts or expand without limit. */
  private void description(String name, byte[] text) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(text));
      while (reader.hasNext()) {
        switch (reader.next()) {
          case XMLStreamConstants.DTD ->
              throw CandidateJar.refusal(jar, name + " has a document type (DOCTYPE)");
          case XMLStreamConstants.START_ELEMENT -> element(reader);
          default -> {}
        }
      }
    } catch (XMLStreamException e) {
      throw CandidateJar.refusal(jar, name + " is not XML: " + e.getMessage());
    }
  }

  private void element(XMLStreamReader reader) {
    switch (reader.getLocalName()) {
      case "implementation" -> add(implementations, reader.getAttributeValue(null, "class"));
      case "provide" -> add(services, reader.getAttributeValue(null, "interface"));
      default -> {}
    }
  }

  private static void add(Set<String> names, @Nullable String name) {
    if (name != null) {
      names.add(name.strip());
    }
  }

  /** Returns the content of {@code entry}, whose declared size may be wrong. */
  private byte[] bounded(ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] text = in == null ? new byte[0] : in.readNBytes(LONGEST_TEXT + 1);
      if (text.length > LONGEST_TEXT) {
        throw CandidateJar.refusal(jar, entry.getName() + " is longer than 1 MiB");
      }
      return text;
    }
  }
}
