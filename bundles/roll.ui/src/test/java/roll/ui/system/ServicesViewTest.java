package roll.ui.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.plugin.Lease;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.PluginRegistry;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;
import roll.ui.control.OrderRecordingRun;
import roll.ui.system.ConfiguredPlugins.Configured;
import roll.ui.system.ServicesView.Kind;
import roll.ui.system.ServicesView.Service;

/** Services, their bundles and the runs that use them. */
class ServicesViewTest {
  private static final String BUNDLE = "some.bundle";
  private static final String VERSION = "1.2.3";

  @TempDir Path storage;

  private final List<OfferedService> offered = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final List<TrainingRun> runs = new ArrayList<>();
  private final InMemoryPluginRegistry shelf = new InMemoryPluginRegistry();
  private int loads;

  /** A registry with one broken estimator. */
  private final class Registry implements PluginRegistry {
    @Override
    public <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name) {
      return shelf.lease(type, kind, name);
    }

    @Override
    public List<String> names(Class<?> type, String kind) {
      return shelf.names(type, kind);
    }

    @Override
    public List<OfferedService> offered(String kind) {
      return offered.stream().filter(service -> service.kind().equals(kind)).toList();
    }

    @Override
    public @Nullable String trouble(Class<?> type, String kind, String name) {
      asked.add(name);
      return name.equals("broken")
          ? "roll.estimator 'broken' of some.bundle 1.2.3 cannot be had"
          : null;
    }
  }

  private ConfiguredPlugins configured() {
    return new ConfiguredPlugins(
        (file, overrides) -> {
          loads++;
          return new LoadedConfig(
              file,
              ExampleRunConfigs.small(Path.of("model"), 1),
              "exp_name: lake\n",
              List.of(),
              Set.of(),
              new TreeMap<>());
        },
        new Registry());
  }

  private ServicesView page() {
    return new ServicesView(OrderRecordingRun.trainer(runs), new Registry(), configured());
  }

  private List<Service> services(ServicesView page, String kind) {
    return page.view().kinds().stream()
        .filter(known -> known.kind().equals(kind))
        .findFirst()
        .map(Kind::services)
        .orElseThrow();
  }

  private void register(String kind, String... ids) {
    offered.add(new OfferedService(offered.size(), kind, List.of(ids), BUNDLE, VERSION, ""));
  }

  private OrderRecordingRun run(State state, String served) throws Exception {
    Path folder = Files.createDirectories(storage.resolve("run"));
    Files.writeString(folder.resolve("config.yaml"), "exp_name: lake\n");
    return new OrderRecordingRun(3, new ArrayList<>())
        .in(folder)
        .with(
            new RunStatus(
                state,
                1,
                9,
                "",
                state == State.WAITING ? "no service roll.env=maze" : null,
                served,
                Instant.EPOCH,
                null,
                Map.of()));
  }

  @Test
  void troubleIsAskedOnceOfEachNameAndSaid() {
    register("roll.estimator", "grpo", "broken");
    ServicesView page = page();
    List<Service> estimators = services(page, "roll.estimator");
    assertEquals(List.of("grpo", "broken"), estimators.stream().map(Service::id).toList());
    assertNull(estimators.getFirst().trouble());
    assertEquals(
        "roll.estimator 'broken' of some.bundle 1.2.3 cannot be had",
        estimators.getLast().trouble());
    assertNull(estimators.getFirst().from());
    page.view();
    page.view();
    assertEquals(List.of("grpo", "broken"), asked);
  }

  /** A run uses the plugins of its bundles that its configuration names. */
  @Test
  void aRunUsesWhatItNames() throws Exception {
    register("roll.estimator", "grpo", "rloo");
    register("roll.sandbox", "python");
    runs.add(run(State.RUNNING, BUNDLE + " " + VERSION));
    ServicesView page = page();
    assertEquals(List.of(3), services(page, "roll.estimator").getFirst().usedBy());
    assertEquals(List.of(), services(page, "roll.estimator").getLast().usedBy());
    assertEquals(List.of(3), services(page, "roll.sandbox").getFirst().usedBy());
    runs.set(0, run(State.RUNNING, "other 1.0.0"));
    assertEquals(List.of(), services(page, "roll.estimator").getFirst().usedBy());
    runs.set(0, run(State.FINISHED, BUNDLE + " " + VERSION));
    assertEquals(List.of(), services(page, "roll.estimator").getFirst().usedBy());
  }

  @Test
  void whatARunWaitsForIsSaid() throws Exception {
    runs.add(run(State.WAITING, ""));
    assertEquals(
        List.of(new ServicesView.Waiting(3, "no service roll.env=maze")), page().view().waiting());
  }

  @Test
  void whatMayTakeAPlaceIsWhatFitsThere() throws Exception {
    shelf
        .with("roll.estimator", "grpo", stub(AdvantageEstimator.class))
        .with("roll.estimator", "rloo", stub(AdvantageEstimator.class))
        .with("roll.estimator", "other", "no estimator")
        .with("roll.loss", "ppo", stub(PolicyLoss.class));
    ConfiguredPlugins configured = configured();
    OrderRecordingRun run = run(State.RUNNING, "");
    List<Configured> all = configured.of(run);
    assertEquals(
        List.of("rloo"),
        all.stream().filter(one -> one.kind().equals("estimator")).toList().getFirst().choices());
    assertEquals(
        List.of(),
        all.stream().filter(one -> one.kind().equals("loss")).toList().getFirst().choices());
    assertEquals(all, configured.of(run));
    assertEquals(1, loads, "the same file is not read again");
    Files.setLastModifiedTime(run.folder().resolve("config.yaml"), FileTime.from(Instant.EPOCH));
    configured.of(run);
    assertEquals(2, loads);
    Files.delete(run.folder().resolve("config.yaml"));
    assertEquals(List.of(), configured.of(run));
  }

  private static <T> T stub(Class<T> type) {
    return type.cast(
        java.lang.reflect.Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              throw new AssertionError(method.getName());
            }));
  }
}
