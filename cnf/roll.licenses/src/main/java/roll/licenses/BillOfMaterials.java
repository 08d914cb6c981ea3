package roll.licenses;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A bill of materials in CycloneDX 1.6 (ECMA-424), as JSON: the jars of a distribution, inside each
 * the libraries that its notice names, and the jars and native libraries in it as files with their
 * hashes. Equal distributions give equal bytes: it has no time and no serial number.
 */
final class BillOfMaterials {
  private static final Pattern FILE = Pattern.compile(".*\\.(jar|so(\\.\\d+)*|dll|dylib|jnilib)$");

  private final Libraries known;
  private final List<Part> parts = new ArrayList<>();
  private String version = "";

  BillOfMaterials(Libraries known) {
    this.known = known;
  }

  /** A jar of the distribution, described when the bill is written. */
  private interface Part {
    Map<String, Object> component() throws IOException;
  }

  /** Adds a bundle of this project with the libraries in it. */
  void add(NestedJar bundle) {
    version = bundle.header("Bundle-Version").replace(".SNAPSHOT", "-SNAPSHOT");
    Map<String, Object> own = library("Apache-2.0", "roll", bundle.name(), version);
    parts.add(
        () -> {
          List<Object> inside = new ArrayList<>();
          for (String coordinates : Notice.coordinates(bundle.text("META-INF/NOTICE"))) {
            String[] names = coordinates.split(":", -1);
            inside.add(library(license(names[0], names[1]), names[0], names[1], names[2]));
          }
          return component(own, bundle, inside);
        });
  }

  /** Adds a library that is a bundle. */
  void add(Library library, NestedJar bundle) {
    parts.add(() -> component(library(library), bundle, new ArrayList<>()));
  }

  /** Adds a library in the folder of native libraries, whose files are too large to hold. */
  void add(Library library) {
    parts.add(
        () -> {
          List<Object> inside = new ArrayList<>();
          try (ZipFile jar = new ZipFile(library.jar().toFile())) {
            for (ZipEntry entry :
                jar.stream().sorted(Comparator.comparing(ZipEntry::getName)).toList()) {
              if (FILE.matcher(entry.getName()).matches()) {
                inside.add(file(entry.getName(), jar.getInputStream(entry)));
              }
            }
          }
          return component(
              library(library),
              "native/" + library.jar().getFileName(),
              Files.newInputStream(library.jar()),
              inside);
        });
  }

  private static Map<String, Object> component(
      Map<String, Object> library, NestedJar bundle, List<Object> inside) throws IOException {
    for (var entry : bundle.entries().entrySet()) {
      if (FILE.matcher(entry.getKey()).matches()) {
        inside.add(file(entry.getKey(), new ByteArrayInputStream(entry.getValue())));
      }
    }
    return component(
        library, "jar/" + bundle.file(), new ByteArrayInputStream(bundle.content()), inside);
  }

  private static Map<String, Object> component(
      Map<String, Object> library, String file, InputStream content, List<Object> inside)
      throws IOException {
    library.put("bom-ref", file);
    library.put("hashes", List.of(hash(content)));
    if (!inside.isEmpty()) {
      library.put("components", inside);
    }
    return library;
  }

  /** Writes the bill of the distribution {@code name}. */
  void write(String name, Path file) throws IOException {
    List<Object> components = new ArrayList<>();
    for (Part part : parts) {
      components.add(part.component());
    }
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("type", "application");
    about.put("name", name);
    about.put("version", version);
    Map<String, Object> bill = new LinkedHashMap<>();
    bill.put("bomFormat", "CycloneDX");
    bill.put("specVersion", "1.6");
    bill.put("version", 1);
    bill.put("metadata", Map.of("component", about));
    bill.put("components", components);
    StringBuilder json = new StringBuilder();
    append(json, bill, "\n");
    Files.writeString(file, json.append('\n'), StandardCharsets.UTF_8);
  }

  private String license(String group, String artifact) throws IOException {
    return known.families().stream()
        .filter(family -> family.has(group, artifact))
        .findFirst()
        .orElseThrow(() -> new IOException(artifact + " is not in licenses/" + Libraries.LIST))
        .license();
  }

  private static Map<String, Object> library(
      String license, String group, String artifact, String version) {
    Map<String, Object> library = new LinkedHashMap<>();
    library.put("type", "library");
    library.put("group", group);
    library.put("name", artifact);
    library.put("version", version);
    library.put("licenses", List.of(Map.of("expression", license)));
    library.put("purl", "pkg:maven/%s/%s@%s".formatted(group, artifact, version));
    return library;
  }

  private static Map<String, Object> library(Library library) {
    return library(
        library.family().license(), library.group(), library.artifact(), library.version());
  }

  private static Map<String, Object> file(String name, InputStream content) throws IOException {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("type", "file");
    file.put("name", name);
    file.put("hashes", List.of(hash(content)));
    return file;
  }

  private static Map<String, Object> hash(InputStream content) throws IOException {
    try (content) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      content.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
      Map<String, Object> hash = new LinkedHashMap<>();
      hash.put("alg", "SHA-256");
      hash.put("content", HexFormat.of().formatHex(digest.digest()));
      return hash;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void append(StringBuilder json, Object value, String indent) {
    String deeper = indent + " ";
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.append(separator).append(deeper).append('"').append(entry.getKey()).append("\": ");
        append(json, entry.getValue(), deeper);
        separator = ",";
      }
      json.append(indent).append('}');
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        json.append(separator).append(deeper);
        append(json, element, deeper);
        separator = ",";
      }
      json.append(indent).append(']');
    } else if (value instanceof Integer) {
      json.append(value);
    } else {
      json.append('"');
      json.append(value.toString().replace("\\", "\\\\").replace("\"", "\\\""));
      json.append('"');
    }
  }
}
