package roll.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;

class DeviceLayoutTest extends SmallConfigFixture {
  private static final Pattern PLACE = Pattern.compile("^(override '.*?'|run.yaml:\\d+): ");

  private static final String SFT = "sft={train_files: rows.jsonl}";
  private static final String JUDGE = "model_args: {model_name_or_path: model}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0,1] | [1,0] |       | 0", // colocated
        "[0,1] | [2]   |       | 0", // disjoint
        "[0,1] | [2,3] |       | 1",
        "[0,1] | [0,1,2] |     | 1", // partial
        "      |       |       | 1", // the whole machine
        "[0]   |       | [1]   | 1",
        "[0,1] | [2,3] | [0,1] | 0", // a reference beside either, or alone
        "[0,1] | [2,3] | [2]   | 0",
        "[0,1] | [2,3] | [4]   | 1",
        "[0,1] | [2,3] |       | 1"
      })
  void rolesMayLieSo(
      @Nullable String train, @Nullable String infer, @Nullable String reference, int ahead) {
    assertDoesNotThrow(() -> load(overrides(train, infer, reference, ahead)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0,1] | [0,1] | | 1 | async_generation_ratio: expected 0 where actor_train.device_mapping"
            + " and actor_infer.device_mapping are the same devices, found '1'",
        "[0,1] | [1,2] | | 1 | 'actor_train.device_mapping: [0, 1] and actor_infer.device_mapping"
            + " [1, 2] overlap: they must be the same devices, have none in common or, with"
            + " async_generation_ratio above 0, be some of actor_infer''s'",
        "[0,1] | [0] | | 0 | 'actor_train.device_mapping: [0, 1] and actor_infer.device_mapping"
            + " [0] overlap: they must be the same devices, have none in common or, with"
            + " async_generation_ratio above 0, be some of actor_infer''s'",
        "[0] | [0,1] | | 0 | actor_train.device_mapping: [0] are some of"
            + " actor_infer.device_mapping [0, 1], which takes async_generation_ratio above 0; in"
            + " synchronous training they must be the same devices or have none in common",
        "[0,1] | [2,3] | [1,2] | 0 | reference.device_mapping: [1, 2] and"
            + " actor_train.device_mapping [0, 1] overlap: they must have none in common, or be"
            + " some of them",
        "[0] | [1,2] | [2,3] | 0 | reference.device_mapping: [2, 3] and actor_infer.device_mapping"
            + " [1, 2] overlap: they must have none in common, or be some of them"
      })
  void othersAreRefused(
      @Nullable String train,
      @Nullable String infer,
      @Nullable String reference,
      int ahead,
      String complaint) {
    assertEquals(complaint, placed(overrides(train, infer, reference, ahead)));
  }

  @Test
  void aCopyThatSamplesMustRemain() {
    assertEquals(
        "actor_train.device_mapping: [0, 1, 2] leave 1 of actor_infer.device_mapping [0, 1, 2, 3],"
            + " too few for a sampling replica of the model: it takes 2",
        placed(
            "actor_train.device_mapping=[0,1,2]",
            "actor_infer.device_mapping=[0,1,2,3]",
            "actor_infer.strategy_args.strategy_config={tensor_parallel_size: 2}",
            "async_generation_ratio=1"));
  }

  @Test
  void theCriticIsTrainedBesideThePolicyOrWithIt() {
    String gae = "adv_estimator=gae";
    String train = "actor_train.device_mapping=[0,1]";
    assertDoesNotThrow(() -> load(gae, train, "critic.device_mapping=[0,1]"));
    assertEquals(
        "critic.device_mapping: [1, 2] and actor_train.device_mapping [0, 1] overlap: they must"
            + " have none in common, or be some of them",
        placed(gae, train, "critic.device_mapping=[1,2]"));
    assertEquals(
        "critic.device_mapping: [0] and actor_train.device_mapping [0, 1] overlap, which are some"
            + " of actor_infer's: they must have none in common",
        placed(
            gae,
            train,
            "actor_infer.device_mapping=[0,1,2]",
            "async_generation_ratio=1",
            "critic.device_mapping=[0]"));
  }

  @Test
  void devicesMustExist() {
    assertEquals(
        "actor_infer.device_mapping: there is no device 8: num_gpus_per_node × num_nodes say that"
            + " there are 8, from 0 on",
        placed(
            "num_gpus_per_node=4", "num_nodes=2", "actor_infer.device_mapping=list(range(0,9))"));
  }

  @Test
  void devicesOfThisMachineMustExistWhereNothingDividesIt() throws IOException {
    files(); // the model's folder
    Path file = Files.writeString(folder.resolve("run.yaml"), ConfigFiles.SMALL);
    YamlConfigLoader loader = new YamlConfigLoader(name -> null, new OneCard(true));
    loader.load(file, List.of("actor_train.device_mapping=[0,2]"));
    loader.load(file, List.of("num_gpus_per_node=10", "actor_train.device_mapping=[9]"));
    String there =
        ": there is no device 9: this machine has cuda 0, cpu 1-2; num_gpus_per_node=10 divides it"
            + " into 10";
    assertEquals(
        "override 'actor_train.device_mapping=[0,9]': actor_train.device_mapping" + there,
        userError(() -> loader.load(file, List.of("actor_train.device_mapping=[0,9]"))));
    assertEquals(
        "override 'actor_train.device_mapping=9': actor_train.device_mapping" + there,
        userError(() -> loader.loadForSft(file, List.of("actor_train.device_mapping=9", SFT))));
    Files.writeString(
        file, ConfigFiles.SMALL + "reward_models: {judge: {device_mapping: [9], " + JUDGE + "}}\n");
    assertEquals(
        file + ":17: reward_models.judge.device_mapping" + there,
        userError(() -> loader.load(file, List.of())));
  }

  /** Explicit values are kept; the others are derived from the device. */
  @Test
  void cardsComputeInBf16UnlessItIsSaid() throws IOException {
    files();
    Path file = Files.writeString(folder.resolve("run.yaml"), ConfigFiles.SMALL);
    YamlConfigLoader loader = new YamlConfigLoader(name -> null, new OneCard(true));
    assertEquals(Dtype.BF16, dtype(loader, file, "actor_train.device_mapping=[0]"));
    assertEquals(Dtype.FP32, dtype(loader, file, "actor_train.device_mapping=[1]"));
    assertEquals(Dtype.FP32, dtype(loader, file, "max_steps=2"));
    assertEquals(
        Dtype.FP32,
        dtype(loader, file, "actor_train.device_mapping=[0]", "actor_train.model_args.dtype=fp32"));
  }

  /**
   * Slow bf16 is reported once for all roles on cores without instructions for it, and never on a
   * card.
   */
  @Test
  void slowBf16IsTold() throws IOException {
    files();
    Path file = Files.writeString(folder.resolve("run.yaml"), ConfigFiles.SMALL);
    List<String> narrow =
        List.of(
            "enable_reference=true",
            "actor_train.model_args.dtype=bf16",
            "actor_infer.model_args.dtype=bf16",
            "reference.device_mapping=[0]");
    YamlConfigLoader slow = new YamlConfigLoader(name -> null, new OneCard(false));
    String told =
        "model_args.dtype is bf16 (%s): this processor has no instructions for it (AVX512-BF16,"
            + " AMX), so it can take ten times as long as fp32; write fp32 unless the memory is"
            + " needed";
    assertEquals(
        List.of(told.formatted("actor_train, actor_infer")), slow.load(file, narrow).notices());
    assertEquals(
        List.of(told.formatted("actor_infer")), slow.loadForRollout(file, narrow).notices());
    assertEquals(List.of(), slow.load(file, List.of()).notices());
    YamlConfigLoader fast = new YamlConfigLoader(name -> null, new OneCard(true));
    assertEquals(List.of(), fast.load(file, narrow).notices());
  }

  private static Dtype dtype(YamlConfigLoader loader, Path file, String... overrides) {
    return loader
        .load(file, List.of(overrides))
        .run()
        .roles()
        .byName()
        .get("actor_train")
        .model()
        .dtype();
  }

  private static String[] overrides(
      @Nullable String train, @Nullable String infer, @Nullable String reference, int ahead) {
    List<String> overrides = new ArrayList<>(List.of("async_generation_ratio=" + ahead));
    overrides.add("enable_reference=true");
    mapping(overrides, "actor_train", train);
    mapping(overrides, "actor_infer", infer);
    mapping(overrides, "reference", reference);
    return overrides.toArray(String[]::new);
  }

  private static void mapping(List<String> overrides, String role, @Nullable String devices) {
    if (devices != null) {
      overrides.add(role + ".device_mapping=" + devices);
    }
  }

  private String placed(String... overrides) {
    String complaint = complaint(overrides);
    return PLACE.matcher(complaint).replaceFirst("");
  }
}
