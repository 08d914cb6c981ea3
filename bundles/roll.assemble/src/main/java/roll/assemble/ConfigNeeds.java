package roll.assemble;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.RegisteredKind.Lifetime;
import roll.runtime.plugin.RoleReferences;
import roll.runtime.plugin.StockKinds;

/** The capabilities that a training configuration needs, each with the key that needs it. */
final class ConfigNeeds {
  private final Set<CapabilityNeed> needs = new LinkedHashSet<>();

  private ConfigNeeds() {}

  /** Returns the needs of {@code config}, in the order of a training step. */
  static List<CapabilityNeed> of(LoadedConfig config) {
    RunConfig run = config.run();
    ConfigNeeds all = new ConfigNeeds();
    if (!config.onlySft()) {
      all.stock(Lifetime.ROLLOUT, run);
      all.stock(Lifetime.STEP, run);
      run.extensions().kinds().forEach(all::kind);
      run.extensions().plugins().forEach(plugin -> all.add(PluginKinds.named(plugin)));
      all.worker(run, "environment", "rollouts");
      run.extensions().roles().forEach(own -> all.worker(run, own.role(), own.role() + ".worker"));
    }
    config.rolesByName().forEach((role, worker) -> all.role(run, role, worker));
    all.places(StockKinds.TRACKER, run);
    SftConfig sft = config.sft();
    if (sft != null) {
      all.needs.add(
          new CapabilityNeed("osgi.identity", "roll.dataset", sft.section() + ".train_files"));
      if (sft.preference() != null) {
        all.add(sft.preference().named());
      }
    }
    return List.copyOf(all.needs);
  }

  /** Returns the needs for additional bundles. */
  static List<CapabilityNeed> bundles(List<String> names) {
    List<CapabilityNeed> needs = new ArrayList<>();
    names.forEach(name -> needs.add(new CapabilityNeed("osgi.identity", name, "--with " + name)));
    return needs;
  }

  private void stock(Lifetime lifetime, RunConfig run) {
    StockKinds.ALL.stream()
        .filter(kind -> kind.lifetime() == lifetime)
        .forEach(kind -> places(kind, run));
  }

  private void places(RegisteredKind<?> kind, RunConfig run) {
    kind.places().apply(run).forEach(place -> add(place.named()));
  }

  private void kind(String name) {
    needs.add(new CapabilityNeed(PluginKinds.NAMESPACE, name, PluginKinds.KEY + ": " + name));
  }

  private void role(RunConfig run, String role, WorkerConfig worker) {
    worker(run, role, role);
    add(RoleReferences.strategy(worker).named());
    String family = family(worker.model().folder());
    String model = role + ": model_type of " + worker.model().folder().getFileName();
    needs.add(new CapabilityNeed("roll.model", family, model + "/config.json: " + family));
    if (worker.template().equals("native")) {
      needs.add(
          new CapabilityNeed(
              "osgi.identity", "roll.template", role + ".data_args.template: native"));
    }
  }

  /** Adds a worker, which no key names; {@code reason} explains it. */
  private void worker(RunConfig run, String role, String reason) {
    NamedPlugin worker = RoleReferences.worker(run, role).named();
    needs.add(new CapabilityNeed(worker.kind(), worker.name(), reason));
  }

  private void add(NamedPlugin named) {
    needs.add(new CapabilityNeed(named.kind(), named.name(), named.where() + ": " + named.name()));
  }

  /**
   * Returns the {@code model_type} in the config.json of {@code folder}, which selects the bundle.
   *
   * @throws UserException if there is none
   */
  private static String family(Path folder) {
    Path file = folder.resolve("config.json");
    try {
      JsonElement json = JsonParser.parseString(Files.readString(file));
      JsonElement type = json instanceof JsonObject object ? object.get("model_type") : null;
      if (type != null && type.isJsonPrimitive()) {
        return type.getAsString();
      }
    } catch (IOException | JsonParseException e) {
      throw new UserException(file + ": cannot be read as JSON", e);
    }
    throw new UserException(file + ": model_type is missing, which selects the bundle");
  }
}
