package roll.itests;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleWiring;
import roll.api.agent.AgentType;
import roll.api.env.Environment;
import roll.itests.swap.StampedAgent;
import roll.itests.swap.StampedLake;

/**
 * A bundle installed in successive versions: the same classes, each time in a new class loader.
 * Closing it uninstalls the bundle and restarts the one that it replaced.
 */
final class BundleVersions implements AutoCloseable {
  private final Map<String, byte[]> content;
  private final Manifest manifest;
  private final @Nullable Bundle original;
  private final Bundle bundle;
  private final List<WeakReference<ClassLoader>> before = new ArrayList<>();
  private int version;

  private BundleVersions(Manifest manifest, Map<String, byte[]> content, @Nullable Bundle original)
      throws BundleException {
    this.manifest = manifest;
    this.content = content;
    this.original = original;
    if (original != null) {
      original.stop();
    }
    String location = "edition:" + manifest.getMainAttributes().getValue("Bundle-SymbolicName");
    bundle = Plugins.context().installBundle(location, next());
    bundle.start();
  }

  /** Returns successive versions of the installed bundle {@code name}, which is stopped. */
  static BundleVersions of(String name) throws BundleException, IOException {
    Bundle original = BundleContent.bundle(name);
    Manifest manifest = new Manifest();
    Collections.list(original.getHeaders().keys())
        .forEach(key -> manifest.getMainAttributes().putValue(key, original.getHeaders().get(key)));
    return new BundleVersions(manifest, BundleContent.all(original), original);
  }

  /** Returns the environment {@code stamped}: {@link StampedLake} over FrozenLake. */
  static BundleVersions stampedLake() throws BundleException, IOException {
    return stamped(
        "stamped.lake", StampedLake.class, Environment.class, "roll.env", "frozen_lake", "");
  }

  /** Returns the agent type {@code stamped}: {@link StampedAgent} over {@code hf}. */
  static BundleVersions stampedAgent() throws BundleException, IOException {
    return stamped(
        "stamped.agent",
        StampedAgent.class,
        AgentType.class,
        "roll.agent.type",
        "hf",
        ",roll.api.agent,roll.api.tool");
  }

  /**
   * Returns the description of the component {@code type} with {@code service} and {@code name}.
   */
  static String component(Class<?> type, Class<?> service, String kind, String name) {
    return """
    <component xmlns="http://www.osgi.org/xmlns/scr/v1.4.0" name="%1$s">
      <implementation class="%1$s"/>
      <property name="%3$s" value="%4$s"/>
      <service><provide interface="%2$s"/></service>
    </component>
    """
        .formatted(type.getName(), service.getName(), kind, name);
  }

  /**
   * Creates a bundle with the classes of a package of these tests.
   *
   * @param components descriptions by {@link #component}
   */
  static BundleVersions made(String name, String pack, String imports, List<String> components)
      throws BundleException, IOException {
    Bundle here = Plugins.context().getBundle();
    Map<String, byte[]> content =
        BundleContent.find(here, pack.replace('.', '/') + "/", "*.class", false);
    List<String> files = new ArrayList<>();
    for (String component : components) {
      String file = "OSGI-INF/" + files.size() + ".xml";
      content.put(file, component.getBytes(StandardCharsets.UTF_8));
      files.add(file);
    }
    return new BundleVersions(manifest(name, imports, String.join(",", files)), content, null);
  }

  private static Manifest manifest(String name, String imports, String components) {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.putValue("Bundle-ManifestVersion", "2");
    headers.putValue("Bundle-SymbolicName", name);
    headers.putValue("Import-Package", imports);
    headers.putValue("Service-Component", components);
    return manifest;
  }

  /** Returns the plugin {@code stamped} of a kind, over another plugin of that kind. */
  private static BundleVersions stamped(
      String name, Class<?> service, Class<?> type, String kind, String inner, String imports)
      throws BundleException, IOException {
    Bundle here = Plugins.context().getBundle();
    Map<String, byte[]> content = BundleContent.find(here, "roll/itests/swap/", "*.class", false);
    String component =
        """
        <component xmlns="http://www.osgi.org/xmlns/scr/v1.4.0" name="%1$s" init="1">
          <implementation class="%1$s"/>
          <property name="%2$s" value="stamped"/>
          <service><provide interface="%3$s"/></service>
          <reference name="inner" interface="%3$s" target="(%2$s=%4$s)" parameter="0"/>
        </component>
        """
            .formatted(service.getName(), kind, type.getName(), inner);
    content.put("OSGI-INF/stamped.xml", component.getBytes(StandardCharsets.UTF_8));
    String packages = "roll.api.env,roll.api.option,org.osgi.framework" + imports;
    return new BundleVersions(manifest(name, packages, "OSGI-INF/stamped.xml"), content, null);
  }

  private InputStream next() {
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.putValue(Constants.BUNDLE_VERSION, "1.0." + ++version);
    try {
      return new ByteArrayInputStream(BundleContent.jar(manifest, content));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Installs the next version and waits, as a user's update does. */
  void update() throws BundleException {
    before.add(new WeakReference<>(loader()));
    bundle.update(next());
  }

  private ClassLoader loader() {
    return Objects.requireNonNull(bundle.adapt(BundleWiring.class)).getClassLoader();
  }

  /** Stops the bundle. */
  void stop() throws BundleException {
    bundle.stop();
  }

  /** Starts the bundle again. */
  void start() throws BundleException {
    bundle.start();
  }

  /** Returns name and version, as logged. */
  String name() {
    return bundle.getSymbolicName() + " " + bundle.getVersion();
  }

  /** Returns the number of class loaders of earlier versions in memory. */
  long alive() {
    return before.stream().filter(loader -> loader.get() != null).count();
  }

  @Override
  public void close() throws BundleException {
    bundle.uninstall();
    if (original != null) {
      original.start();
    }
  }
}
