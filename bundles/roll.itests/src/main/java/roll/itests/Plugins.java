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

/** The framework this runs in and the plugin bundles in it. */
final class Plugins {
  /** Kinds of plugins, as the namespaces of their capabilities say. */
  static final List<String> KINDS =
      StockKinds.ALL.stream().map(RegisteredKind::namespace).distinct().sorted().toList();

  private static final Pattern NAME =
      Pattern.compile(
          "roll\\.(agent|curriculum|env|estimator|grader|loss|model|reward|sandbox|strategy|tool|tracking|worker)\\..+");

  private Plugins() {}

  static BundleContext context() {
    return FrameworkUtil.getBundle(Plugins.class).getBundleContext();
  }

  /** Every bundle but the framework itself. */
  static Stream<Bundle> bundles() {
    return Stream.of(context().getBundles()).filter(bundle -> bundle.getBundleId() != 0);
  }

  /** Every bundle of ours whose name says that it is a plugin: {@code roll.<kind>.<name>}. */
  static Stream<Bundle> all() {
    return bundles().filter(bundle -> NAME.matcher(bundle.getSymbolicName()).matches());
  }

  /** What the plugin declares to offer. */
  static List<Offer> offers(Bundle plugin) {
    return KINDS.stream()
        .flatMap(kind -> plugin.adapt(BundleRevision.class).getDeclaredCapabilities(kind).stream())
        .flatMap(capability -> Offer.of(capability).stream())
        .toList();
  }
}
