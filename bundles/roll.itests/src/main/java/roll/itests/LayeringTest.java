package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;

/** The live wiring follows the layers: which bundles import packages of which. */
@Tag("framework")
class LayeringTest {
  /** The contract, and libraries that depend on nothing else. */
  private static final Set<String> CONTRACTS =
      Set.of(
          "roll.api",
          "roll.batching",
          "roll.bridge",
          "roll.browser",
          "roll.chart",
          "roll.decoder",
          "roll.grid",
          "roll.math",
          "roll.remote",
          "roll.sandbox",
          "roll.text");

  /** Additional dependencies of compute plugins. */
  private static final Set<String> COMPUTE =
      with("roll.djl", "roll.huggingface", "roll.torch", "roll.sampling", "roll.parallel");

  /**
   * Additional dependencies of graders and tools: roll.cas contains a library, as roll.djl does.
   */
  private static final Set<String> ALGEBRA = with("roll.cas");

  /** Additional dependencies of the core and of worker roles. */
  private static final Set<String> RUNTIME = with("roll.runtime");

  /** Additional dependencies of rollouts: OpenAI's interface for outside agents. */
  private static final Set<String> ENDPOINT = with("roll.runtime", "roll.openai", "roll.http");

  /** Bundles with libraries for all others: roll.log and roll.lucene. */
  private static final Set<String> LIBRARIES = Set.of("org.slf4j", "org.apache.lucene");

  @TestFactory
  Stream<DynamicTest> pluginsImportTheContractsOnly() {
    return Plugins.all()
        .map(
            plugin ->
                DynamicTest.dynamicTest(
                    plugin.getSymbolicName(),
                    () ->
                        assertTrue(allowed(plugin).containsAll(ours(plugin)), () -> says(plugin))));
  }

  @TestFactory
  Stream<DynamicTest> pluginsExportNothing() {
    return Plugins.all()
        .map(
            plugin ->
                DynamicTest.dynamicTest(
                    plugin.getSymbolicName(),
                    () ->
                        assertEquals(
                            List.of(),
                            wiring(plugin).getCapabilities(PackageNamespace.PACKAGE_NAMESPACE))));
  }

  /** A library over the contract depends on the contract and text libraries only. */
  @Test
  void librariesKnowTheContractOnly() {
    for (String library : CONTRACTS) {
      Bundle bundle = BundleContent.bundle(library);
      assertTrue(Set.of("roll.api", "roll.text").containsAll(ours(bundle)), () -> says(bundle));
    }
  }

  @Test
  void theMiddleOfTheSystemKnowsContractsAndMessagesOnly() {
    Set<String> middle = Set.of("roll.core", "roll.config", "roll.rollout", "roll.shell");
    List<Bundle> bundles =
        Plugins.bundles().filter(b -> middle.contains(b.getSymbolicName())).toList();
    assertEquals(middle.size(), bundles.size());
    for (Bundle bundle : bundles) {
      boolean rollout = bundle.getSymbolicName().equals("roll.rollout");
      assertTrue((rollout ? ENDPOINT : RUNTIME).containsAll(ours(bundle)), () -> says(bundle));
    }
  }

  private static Set<String> allowed(Bundle plugin) {
    String name = plugin.getSymbolicName();
    boolean compute = name.startsWith("roll.strategy.") || name.startsWith("roll.model.");
    boolean algebra = name.startsWith("roll.grader.") || name.startsWith("roll.tool.");
    if (name.equals("roll.rollout")) {
      return ENDPOINT;
    }
    boolean role = name.startsWith("roll.worker.");
    return compute ? COMPUTE : algebra ? ALGEBRA : role ? RUNTIME : CONTRACTS;
  }

  private static Set<String> with(String... more) {
    Set<String> all = new TreeSet<>(CONTRACTS);
    all.addAll(List.of(more));
    return all;
  }

  /** Returns the bundles of this project whose packages {@code bundle} imports. */
  private static Set<String> ours(Bundle bundle) {
    Set<String> providers = new TreeSet<>();
    for (BundleWire wire : wiring(bundle).getRequiredWires(PackageNamespace.PACKAGE_NAMESPACE)) {
      String provider = wire.getProvider().getBundle().getSymbolicName();
      String imported =
          String.valueOf(
              wire.getCapability().getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE));
      if (provider.startsWith("roll.") && LIBRARIES.stream().noneMatch(imported::startsWith)) {
        providers.add(provider);
      }
    }
    return providers;
  }

  private static BundleWiring wiring(Bundle bundle) {
    return bundle.adapt(BundleWiring.class);
  }

  private static String says(Bundle bundle) {
    return bundle.getSymbolicName() + " takes packages from " + ours(bundle);
  }
}
