package roll.assemble;

import aQute.bnd.osgi.Processor;
import aQute.bnd.osgi.repository.ResourcesRepository;
import biz.aQute.resolve.BndResolver;
import biz.aQute.resolve.ResolveProcess;
import biz.aQute.resolve.ResolverLogger;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;
import org.osgi.resource.Wire;
import org.osgi.service.resolver.ResolutionException;
import roll.api.option.UserException;

/**
 * Resolves the bundles of a distribution with bnd, as the build does for {@code launch/*.bndrun}.
 */
final class BundleResolver {
  private final List<AvailableBundles.Item> stock;

  BundleResolver(List<AvailableBundles.Item> stock) {
    this.stock = stock;
  }

  /**
   * A bundle to include.
   *
   * @param item the bundle
   * @param reasons why it is included, user requirements first
   */
  record Part(AvailableBundles.Item item, List<String> reasons) {}

  /**
   * Returns the bundles that satisfy {@code needs} and the base requirements, with their
   * dependencies, in the order of the available bundles.
   *
   * @throws UserException if a requirement cannot be satisfied
   */
  List<Part> resolve(List<CapabilityNeed> needs) {
    try (Processor model = new Processor();
        ResolverLogger log = new ResolverLogger(0)) {
      model.addBasicPlugin(
          new ResourcesRepository(stock.stream().map(AvailableBundles.Item::resource).toList()));
      model.setProperties(base());
      model.setProperty("-resolve.effective", "resolve, active");
      model.setProperty(
          "-runrequires.config",
          needs.stream().map(CapabilityNeed::clause).distinct().collect(Collectors.joining(",")));
      ResolveProcess process = new ResolveProcess();
      Collection<Resource> chosen =
          process
              .resolveRequired(model, null, model, new BndResolver(log), List.of(), log)
              .keySet();
      Map<String, List<String>> keys = new HashMap<>();
      for (CapabilityNeed need : needs) {
        keys.computeIfAbsent(need.filter(), filter -> new ArrayList<>()).add(need.key());
      }
      BundleReasons reasons = new BundleReasons(keys);
      List<Part> parts = new ArrayList<>();
      for (AvailableBundles.Item item : stock) {
        if (chosen.contains(item.resource())) {
          Collection<Wire> wires = process.getRequiredReasons(item.resource());
          parts.add(new Part(item, reasons.of(wires)));
        }
      }
      return parts;
    } catch (ResolutionException e) {
      throw new UserException("assemble: " + unmet(e, needs), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String unmet(ResolutionException failure, List<CapabilityNeed> needs) {
    List<String> unmet = new ArrayList<>();
    for (Requirement requirement : failure.getUnresolvedRequirements()) {
      if (BundleReasons.optional(requirement)) {
        continue; // bnd lists these too
      }
      String filter = String.valueOf(requirement.getDirectives().get("filter"));
      String keys =
          needs.stream()
              .filter(need -> need.filter().equals(filter))
              .map(CapabilityNeed::key)
              .collect(Collectors.joining(", "));
      unmet.add(requirement.getNamespace() + " " + filter + (keys.isEmpty() ? "" : " for " + keys));
    }
    return unmet.isEmpty()
        ? "bnd cannot resolve the bundles: " + failure.getMessage()
        : "no bundle of this distribution or of deploy/ provides " + String.join("; ", unmet);
  }

  /** Returns the base requirements from the files of launch/. */
  private static Properties base() throws IOException {
    Properties properties = new Properties();
    for (String file : List.of("common.bnd", "base.bnd")) {
      try (InputStream in =
          Objects.requireNonNull(
              BundleResolver.class.getResourceAsStream("/distribution/" + file), file)) {
        properties.load(in);
      }
    }
    return properties;
  }
}
