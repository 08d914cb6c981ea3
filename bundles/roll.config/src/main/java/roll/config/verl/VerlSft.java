package roll.config.verl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;
import roll.config.dialect.Translation.How;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;

/**
 * Translates options of verl's {@code sft_trainer}: {@code data}, and what its reinforcement
 * learning has as {@code actor_rollout_ref} and {@code trainer}.
 */
public final class VerlSft {
  private static final String ACTOR = "actor_rollout_ref.actor.";

  /** A choice of Hydra's configuration groups, such as {@code engine=megatron}. */
  private static final String GROUP = "_group_";

  private static final Set<String> ENGINES = Set.of("fsdp", "fsdp2", "megatron");

  /**
   * Values of options of {@code trainer} and {@code optim} that differ in reinforcement learning.
   */
  private static final Map<String, Object> STANDARDS =
      Map.of("trainer.total_epochs", 4, "optim.lr", 1.0e-3);

  private final ConfigDraft draft;
  private final Map<String, String> places = new LinkedHashMap<>();

  private VerlSft(ConfigDraft draft) {
    this.draft = draft;
  }

  /** Whether {@code tree} has options of verl's {@code sft_trainer}. */
  public static boolean is(Map<String, ?> tree) {
    Map<String, @Nullable Object> model = YamlTree.mapping(tree.get("model"));
    return model != null
        && model.containsKey("path")
        && !tree.containsKey("actor_rollout_ref")
        && !tree.containsKey("pretrain");
  }

  /** Returns {@code overrides} with the choices of Hydra's groups as options of these groups. */
  public static List<String> withGroups(List<String> overrides) {
    return overrides.stream()
        .map(
            one -> {
              String group = one.substring(0, Math.max(0, one.indexOf('=')));
              boolean chosen =
                  List.of("model", "optim", "engine").contains(group)
                      && overrides.stream().anyMatch(other -> other.matches("\\+*model\\.path=.*"));
              return chosen ? group + "." + GROUP + one.substring(group.length()) : one;
            })
        .toList();
  }

  /**
   * Replaces the options of {@code draft} by ours.
   *
   * @return replaces our keys in a message by those that were written
   * @throws UserException naming the first option that is unknown, wrong or not supported
   */
  static UnaryOperator<String> translate(ConfigDraft draft) {
    VerlSft translation = new VerlSft(draft);
    try {
      return translation.translated();
    } catch (UserException e) {
      throw new UserException(translation.asWritten(e.getMessage()), e);
    }
  }

  private UnaryOperator<String> translated() {
    draft.notice("read as options of verl's sft_trainer: ./roll sft runs them");
    Map<String, @Nullable Object> rows = new LinkedHashMap<>();
    rows.put("data", section("data"));
    Map<String, @Nullable Object> theirs = moved();
    VerlOptions options = new VerlOptions(new VerlTable(), theirs, draft);
    TranslatedKeys ours = new TranslatedKeys(draft, options);
    VerlRoles roles = new VerlRoles(options, ours);
    roles.putSupervised();
    new VerlOptimizer(options, ours, ACTOR, "actor_train", 1).put();
    VerlOptions data = new VerlOptions(VerlTable.ofSft(), rows, draft);
    TranslatedKeys files = new TranslatedKeys(draft, data);
    batches(data, files, roles.replicas());
    new VerlSchedule(options, ours).putSupervised(data.has("data.val_files"));
    copies(VerlTable.ofSft(), "", files);
    copies(new VerlTable(), "actor_rollout_ref.model.", ours);
    copies(new VerlTable(), ACTOR + "optim.", ours);
    files.put("sft.drop_last", true);
    return line -> asWritten(files.inTheirWords(ours.inTheirWords(line)));
  }

  private static void copies(VerlTable table, String section, TranslatedKeys ours) {
    table.keys().stream()
        .filter(key -> key.how() == How.COPIED && key.path().startsWith(section))
        .forEach(key -> ours.copy(key.ours(), key.path()));
  }

  private Map<String, @Nullable Object> section(String name) {
    Object value = draft.tree().remove(name);
    Map<String, @Nullable Object> section = YamlTree.mapping(value == null ? Map.of() : value);
    if (section == null) {
      throw draft.wrong(name, "expected a mapping, found " + YamlTree.shown(value));
    }
    return new LinkedHashMap<>(section);
  }

  /** Removes the sections and returns them where reinforcement learning has them. */
  private Map<String, @Nullable Object> moved() {
    Map<String, @Nullable Object> trainer = section("trainer");
    Map<String, @Nullable Object> optim = section("optim");
    STANDARDS.forEach(
        (path, value) -> {
          String key = path.substring(path.indexOf('.') + 1);
          (path.startsWith("optim") ? optim : trainer).putIfAbsent(key, value);
        });
    seed(trainer);
    rename(trainer, "max_ckpt_to_keep", "max_actor_ckpt_to_keep");
    Map<String, @Nullable Object> model = section("model");
    Map<String, @Nullable Object> engine = section("engine");
    model.remove(GROUP);
    optim.remove(GROUP);
    Object group = engine.remove(GROUP);
    String name = group == null ? "fsdp" : String.valueOf(group);
    if (!ENGINES.contains(name)) {
      throw draft.wrong("engine." + GROUP, "expected fsdp or megatron, found '" + name + "'");
    }
    boolean megatron = name.equals("megatron");
    trainer.putIfAbsent(
        "n_gpus_per_node",
        parts(engine, "tensor_model_parallel_size")
            * parts(engine, "pipeline_model_parallel_size"));
    Map<String, @Nullable Object> actor = new LinkedHashMap<>();
    move("optim", optim, ACTOR + "optim", actor);
    move("engine", engine, ACTOR + (megatron ? "megatron" : "fsdp_config"), actor);
    move("checkpoint", section("checkpoint"), ACTOR + "checkpoint", actor);
    Map<String, @Nullable Object> worker = new LinkedHashMap<>();
    move("model", model, "actor_rollout_ref.model", worker);
    worker.put("actor", actor);
    draft.tree().remove("profiler");
    Map<String, @Nullable Object> theirs = new LinkedHashMap<>();
    theirs.put("actor_rollout_ref", worker);
    theirs.put("trainer", trainer);
    theirs.put("model_engine", megatron ? "megatron" : "dp");
    return theirs;
  }

  /** Without a number of devices there are those of one model. */
  private static int parts(Map<String, @Nullable Object> engine, String key) {
    return engine.get(key) instanceof Integer parts && parts > 0 && parts <= 1024 ? parts : 1;
  }

  private void seed(Map<String, @Nullable Object> trainer) {
    Object seed = trainer.remove("seed");
    if (seed != null) {
      draft.tree().putIfAbsent("seed", seed);
      draft.moved().accept("seed", "trainer.seed");
    }
  }

  private void rename(Map<String, @Nullable Object> section, String from, String to) {
    Object value = section.remove(from);
    if (value != null) {
      section.put(to, value);
      places.put("trainer." + to, "trainer." + from);
      draft.moved().accept("trainer." + to, "trainer." + from);
    }
  }

  private void move(
      String from,
      Map<String, @Nullable Object> section,
      String to,
      Map<String, @Nullable Object> owner) {
    owner.put(to.substring(to.lastIndexOf('.') + 1), section);
    places.put(to + ".", from + ".");
    origins(from, to, section);
  }

  private void origins(String from, String to, @Nullable Object value) {
    draft.moved().accept(to, from);
    Map<String, @Nullable Object> mapping = YamlTree.mapping(value);
    if (mapping != null) {
      mapping.forEach((key, inner) -> origins(from + "." + key, to + "." + key, inner));
    }
  }

  /** A step has {@code train_batch_size} samples, on all replicas of the model. */
  private static void batches(VerlOptions data, TranslatedKeys ours, int replicas) {
    String size = "data.train_batch_size";
    String micro = "data.micro_batch_size_per_gpu";
    boolean byTokens = data.flag("data.use_dynamic_bsz");
    int each = byTokens ? 1 : data.integer(micro);
    int batch = data.integer(size);
    if (batch % (replicas * each) != 0) {
      throw data.wrong(
          size, "a multiple of %d samples on %d devices".formatted(each, replicas), batch);
    }
    String training = "actor_train.training_args.";
    ours.put(training + "per_device_train_batch_size", each, micro);
    ours.put(training + "gradient_accumulation_steps", batch / (replicas * each), size);
    if (byTokens) {
      ours.copy("actor_train.max_tokens_per_microbatch_in_train", "data.max_token_len_per_gpu");
    }
  }

  /** Returns {@code message} with the options as they were written. */
  private String asWritten(String message) {
    String told = message.replace("." + GROUP, "");
    for (Map.Entry<String, String> place : places.entrySet()) {
      told = told.replace(place.getKey(), place.getValue());
    }
    return told;
  }
}
