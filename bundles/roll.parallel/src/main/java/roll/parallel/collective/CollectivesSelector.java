package roll.parallel.collective;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.option.UserException;

/**
 * Forms each group with the service for the location of its ranks. This is the {@link Collectives}
 * service with the highest ranking, which all others inject.
 */
@Component(
    name = "roll.parallel.collective.chosen",
    service = Collectives.class,
    property = {"roll.collectives=chosen", "service.ranking:Integer=1000"})
public final class CollectivesSelector implements Collectives {
  private static final String KEY = "roll.collectives";

  private final Map<String, Collectives> services = new ConcurrentHashMap<>();

  /** Creates the selector without services. */
  @Activate
  public CollectivesSelector() {}

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      target = "(!(roll.collectives=chosen))")
  void add(Collectives service, Map<String, Object> properties) {
    services.put(name(properties), service);
  }

  void remove(Collectives service, Map<String, Object> properties) {
    services.remove(name(properties), service);
  }

  private static String name(Map<String, Object> properties) {
    return String.valueOf(properties.get(KEY));
  }

  @Override
  public List<Communicator> open(int size) {
    return open(
        RankGroup.here("ranks", Collections.nCopies(size, RankLocation.CPU)), LocalProcess.alone());
  }

  @Override
  public List<Communicator> open(RankGroup group, LocalProcess site) {
    String name = name(group, site);
    Collectives service = services.get(name);
    if (service == null) {
      throw new UserException(
          "%s: its ranks on %s need the collectives '%s', but no installed bundle provides them:"
                  .formatted(group.label(), group.members(), name)
              + " deploy roll.collectives."
              + name);
    }
    return service.open(group, site);
  }

  private static String name(RankGroup group, LocalProcess site) {
    long cards = group.members().stream().filter(RankLocation::onCard).count();
    if (cards > 0 && cards < group.size()) {
      throw new UserException(
          "%s: its ranks are on %s; all ranks of a group must be on cards, or none"
              .formatted(group.label(), group.members()));
    }
    return cards > 0 ? "nccl" : group.within(site.process()) ? "threads" : "gloo";
  }
}
