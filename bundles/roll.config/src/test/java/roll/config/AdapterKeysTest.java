package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.runtime.config.LoadedConfig;

/** The typed configuration of low-rank adapters. */
class AdapterKeysTest extends SmallConfigFixture {
  @Test
  void adaptersAreThoseOfActorTrain() {
    assertNull(run().roles().actorTrain().model().lora());
    LoadedConfig some = load("actor_train.model_args.lora_target='q_proj, v_proj'");
    LoraConfig standard = new LoraConfig(8, 16, 0, List.of("q_proj", "v_proj"));
    assertEquals(standard, some.run().roles().actorTrain().model().lora());
    assertEquals(List.of(), some.notices());
    assertEquals(
        new LoraConfig(4, 7, 0.1, List.of(".*(q|v)_proj,?")),
        run("actor_train.model_args={lora_target: '.*(q|v)_proj,?', lora_rank: 4, lora_alpha: 7,"
                + " lora_dropout: 0.1}")
            .roles()
            .actorTrain()
            .model()
            .lora());
    ModelConfig old =
        run("actor_train.model_args.adapter_name_or_path=" + folder).roles().actorTrain().model();
    assertEquals(folder, old.adapter());
    assertTrue(old.adapted());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {lora_target: []}                         | lora_target: expected names of projections, all-linear, or a regular expression, found '[]'
          {lora_target: [' , ']}                    | lora_target: expected names of projections
          {lora_target: q_proj, lora_dropout: 1}    | lora_dropout: expected a number from 0 up, below 1, found '1'
          {lora_target: q_proj, lora_rank: 0}       | lora_rank: expected an integer of at least 1, found '0'
          {lora_target: a, adapter_name_or_path: b} | adapter_name_or_path: expected nothing where lora_target is given
          {adapter_name_or_path: nowhere}           | adapter_name_or_path: no folder 'nowhere'
          """)
  void refusesAdaptersThatDoNotFit(String model, String message) {
    String refused = userError(() -> load("actor_train.model_args=" + model));
    assertTrue(refused.contains("actor_train.model_args." + message), refused);
  }

  @Test
  void saysWhatIsIdleAboutAdapters() {
    LoadedConfig idle =
        load(
            "actor_train.model_args={lora_rank: 4, autocast_adapter_dtype: true}",
            "actor_infer.model_args={lora_target: all-linear, adapter_name_or_path: x}",
            "use_kl_loss=true",
            "reference.model_args={lora_alpha: 2, adapter_name_or_path: " + folder + "}");
    assertEquals(
        List.of(
            "key 'actor_train.model_args.autocast_adapter_dtype' has no effect here: adapters are"
                + " always 32 bits wide",
            "key 'actor_train.model_args.lora_rank' has no effect here: lora_target is not given",
            "key 'actor_infer.model_args.lora_target' has no effect here: this role is"
                + " not trained",
            "key 'actor_infer.model_args.adapter_name_or_path' has no effect here: actor_infer has"
                + " the adapters of actor_train",
            "key 'reference.model_args.lora_alpha' has no effect here: this role is not"
                + " trained"),
        idle.notices());
    assertNull(idle.run().roles().actorInfer().model().adapter());
    WorkerConfig reference = Objects.requireNonNull(idle.run().roles().reference());
    assertEquals(folder, reference.model().adapter());
    assertEquals(
        List.of(
            "key 'actor_train.model_args.freeze_module_prefix' has no effect here: with adapters"
                + " the whole model is frozen"),
        load("actor_train.model_args={lora_target: all-linear, freeze_module_prefix: model}")
            .notices());
  }
}
