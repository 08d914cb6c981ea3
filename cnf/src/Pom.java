import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The content of a {@code pom.xml} and its parents in the tree, without profiles. */
class Pom {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]+)}");

  private final Path root;
  private final Path folder;
  private final Element project;
  private final Optional<Pom> parent;

  private Pom(Path root, Path folder, Element project, Optional<Pom> parent) {
    this.root = root;
    this.folder = folder;
    this.project = project;
    this.parent = parent;
  }

  /** Reads the pom of {@code folder} below {@code root}. */
  static Pom read(Path root, Path folder) throws IOException {
    Element project;
    try {
      project =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(folder.resolve("pom.xml").toFile())
              .getDocumentElement();
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(folder.resolve("pom.xml") + ": " + e.getMessage(), e);
    }
    if (folder.equals(root)) {
      return new Pom(root, folder, project, Optional.empty());
    }
    String above = child(project, "parent").flatMap(p -> text(p, "relativePath")).orElse("..");
    Path parent = folder.resolve(above).normalize();
    return new Pom(
        root,
        folder,
        project,
        Optional.of(read(root, Files.isDirectory(parent) ? parent : parent.getParent())));
  }

  /** Returns the folders in {@code <modules>}. */
  List<Path> modules() {
    return child(project, "modules").stream()
        .flatMap(list -> children(list, "module").stream())
        .map(module -> folder.resolve(module.getTextContent().strip()).normalize())
        .toList();
  }

  /** Returns whether the module has classes. */
  boolean hasClasses() {
    return !text(project, "packaging").orElse("jar").equals("pom");
  }

  /** Returns the folders of this pom, its parent and so on. */
  List<Path> folders() {
    List<Path> folders = new ArrayList<>(List.of(folder));
    parent.ifPresent(p -> folders.addAll(p.folders()));
    return folders;
  }

  /** Returns the value of a property, here or in a parent; empty if it is not set. */
  String property(String name) {
    return switch (name) {
      case "maven.multiModuleProjectDirectory" -> root.toString();
      case "basedir", "project.basedir" -> folder.toString();
      case "project.build.directory" -> folder.resolve("target").toString();
      default -> resolved(own(name).orElse(""));
    };
  }

  /**
   * Returns the value of {@code key} in the configuration of a plugin, with properties replaced.
   */
  Optional<String> configured(String plugin, String key) {
    return raw(plugin, key).map(this::resolved).filter(value -> !value.isEmpty());
  }

  /** Returns the children of {@code key} in the configuration of a plugin, parents first. */
  List<String> list(String plugin, String key) {
    return elements(plugin, key).map(value -> resolved(value.getTextContent().strip())).toList();
  }

  /** Returns the children of {@code key} in the configuration of a plugin, by name. */
  Map<String, String> map(String plugin, String key) {
    Map<String, String> values = new TreeMap<>();
    elements(plugin, key)
        .forEach(value -> values.put(value.getTagName(), resolved(value.getTextContent().strip())));
    return values;
  }

  private Stream<Element> elements(String plugin, String key) {
    return Stream.concat(
        parent.stream().flatMap(p -> p.elements(plugin, key)),
        configuration(plugin).flatMap(c -> child(c, key)).stream()
            .flatMap(list -> children(list).stream()));
  }

  private Optional<String> raw(String plugin, String key) {
    return configuration(plugin)
        .flatMap(c -> text(c, key))
        .or(() -> parent.flatMap(p -> p.raw(plugin, key)));
  }

  private Optional<String> own(String name) {
    return child(project, "properties")
        .flatMap(properties -> text(properties, name))
        .or(() -> parent.flatMap(p -> p.own(name)));
  }

  private String resolved(String value) {
    return VARIABLE
        .matcher(value)
        .replaceAll(found -> Matcher.quoteReplacement(property(found.group(1))));
  }

  private Optional<Element> configuration(String plugin) {
    Optional<Element> build = child(project, "build");
    return build
        .flatMap(b -> configuration(b, plugin))
        .or(
            () ->
                build
                    .flatMap(b -> child(b, "pluginManagement"))
                    .flatMap(m -> configuration(m, plugin)));
  }

  private static Optional<Element> configuration(Element build, String plugin) {
    return child(build, "plugins").stream()
        .flatMap(plugins -> children(plugins, "plugin").stream())
        .filter(found -> text(found, "artifactId").equals(Optional.of(plugin)))
        .findFirst()
        .flatMap(found -> child(found, "configuration"));
  }

  private static Optional<String> text(Element element, String name) {
    return child(element, name).map(found -> found.getTextContent().strip());
  }

  private static Optional<Element> child(Element element, String name) {
    return children(element, name).stream().findFirst();
  }

  private static List<Element> children(Element element, String name) {
    return children(element).stream().filter(child -> child.getTagName().equals(name)).toList();
  }

  private static List<Element> children(Element element) {
    List<Element> found = new ArrayList<>();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        found.add(child);
      }
    }
    return found;
  }
}
