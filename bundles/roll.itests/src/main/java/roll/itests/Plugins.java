package roll.itests;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.wiring.BundleRevision;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.StockKinds;

/** The plugin bundles of the running framework. */
final class Plugins {
  /** Kinds of plugins, by the namespaces of their capabilities. */
  static final List<String> KINDS =
      StockKinds.ALL.stream().map(RegisteredKind::namespace).distinct().sorted().toList();

  private static final Pattern NAME =
      Pattern.compile(
          "roll\\.(agent|curriculum|env|estimator|grader|loss|model|preference|reward|sandbox|strategy|tool|tracking|worker|workspace)\\..+");

  private Plugins() {}

  static BundleContext context() {
    return FrameworkUtil.getBundle(Plugins.class).getBundleContext();
  }

  /** Returns all bundles except the framework. */
  static Stream<Bundle> bundles() {
    return Stream.of(context().getBundles()).filter(bundle -> bundle.getBundleId() != 0);
  }

  /** Returns all plugin bundles of this project, named {@code roll.<kind>.<name>}. */
  static Stream<Bundle> all() {
    return bundles().filter(bundle -> NAME.matcher(bundle.getSymbolicName()).matches());
  }

  /** Returns the names that the plugin declares. */
  static List<ProvidedPlugin> offers(Bundle plugin) {
    return KINDS.stream()
        .flatMap(kind -> plugin.adapt(BundleRevision.class).getDeclaredCapabilities(kind).stream())
        .flatMap(capability -> ProvidedPlugin.of(capability).stream())
        .toList();
  }
}
