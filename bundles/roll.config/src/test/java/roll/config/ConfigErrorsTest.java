package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of mistake, with the one line it is answered by. */
class ConfigErrorsTest extends SmallConfigFixture {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // unknown keys
        "max_step: 3 | run.yaml:17: unknown key 'max_step'; did you mean 'max_steps'?",
        "learning_rate: 3 | run.yaml:17: unknown key 'learning_rate'; did you mean"
            + " 'actor_train.training_args.learning_rate'?",
        "nonsense: 3 | run.yaml:17: unknown key 'nonsense'",
        "reward_normalization: {groping: batch} | run.yaml:17: unknown key"
            + " 'reward_normalization.groping'; did you mean 'grouping'?",
        // wrong types, ranges and words
        "ppo_epochs: two | run.yaml:17: ppo_epochs: expected an integer of at least 1, found"
            + " 'two'",
        "ppo_epochs: 1.5 | run.yaml:17: ppo_epochs: expected an integer of at least 1, found"
            + " '1.5'",
        "ppo_epochs: 0 | run.yaml:17: ppo_epochs: expected an integer of at least 1, found '0'",
        "ppo_epochs: ~ | run.yaml:17: ppo_epochs: expected an integer of at least 1, found"
            + " 'null'",
        "gamma: .nan | run.yaml:17: gamma: expected a number from 0 to 1, found 'NaN'",
        "gamma: 1.5 | run.yaml:17: gamma: expected a number from 0 to 1, found '1.5'",
        "advantage_clip: 0 | run.yaml:17: advantage_clip: expected a number above 0, found '0'",
        "entropy_loss_coef: yes | run.yaml:17: entropy_loss_coef: expected a number, found 'true'",
        "whiten_advantages: 1 | run.yaml:17: whiten_advantages: expected true or false, found '1'",
        "output_dir: [a] | run.yaml:17: output_dir: expected text, found '[a]'",
        "loss_agg_mode: token-men | 'run.yaml:17: loss_agg_mode: expected one of token-mean,"
            + " seq-mean-token-sum, seq-mean-token-mean, seq-mean-token-sum-norm, found"
            + " ''token-men''; did you mean ''token-mean''?'",
        "reward_normalization: {method: zscore} | 'run.yaml:17: reward_normalization.method:"
            + " expected one of identity, mean, mean_std, asym_clip, found ''zscore'''",
        "async_generation_ratio: -1 | run.yaml:17: async_generation_ratio: expected a number of at"
            + " least 0, found '-1'",
        "track_with: [a, a] | 'run.yaml:17: track_with: expected each tracker once, found ''[a,"
            + " a]'''",
        "val_env_manager: 3 | run.yaml:17: val_env_manager: expected a mapping, found '3'",
        "actor_infer: {device_mapping: gpu} | 'run.yaml:17: actor_infer.device_mapping: expected"
            + " null, [0,1], list(range(0,8)) or several of them joined by +, found ''gpu'''",
        "rollout_mock: {mode: replay} | 'run.yaml:17: rollout_mock.mode: expected one of dump,"
            + " mock, found ''replay'''",
        // features that do not exist yet
        "profiler_memory: true | run.yaml:17: 'profiler_memory: true' is not supported yet",
        "critic: {model_args: {lora_target: all-linear}} | run.yaml:17:"
            + " 'critic.model_args.lora_target: all-linear' is not supported yet",
        "critic: {model_args: {num_labels: 2}} | run.yaml:17: critic.model_args.num_labels:"
            + " expected an integer from 1 to 1, found '2'",
        "track_with: swanlab | run.yaml:17: 'track_with: swanlab' is not supported yet",
        "actor_infer: {generating_args: {num_beams: 4}} | run.yaml:17:"
            + " 'actor_infer.generating_args.num_beams: 4' is not supported yet",
        "reference: {model_args: {additional_target: lm_head}} | run.yaml:17:"
            + " 'reference.model_args.additional_target: lm_head' is not supported yet",
        "'train_infer_correction: {filters: [{ratio_lw: 1}]}' | 'run.yaml:17:"
            + " train_infer_correction.filters[0]: unknown key ''ratio_lw'' (allowed: enabled,"
            + " agg_type, ratio_enabled, ratio_low, ratio_high, diff_enabled, diff_low,"
            + " diff_high, kl, kl_high); did you mean ''ratio_low''?'",
        "'train_infer_correction: {filters: [{enabled: true, agg_type: max}]}' | 'run.yaml:17:"
            + " train_infer_correction.filters[0].agg_type: expected one of token, segment,"
            + " geometric, sequence, found ''max'''",
        "'train_infer_correction: {filters: [{enabled: true, kl: k2}]}' | 'run.yaml:17:"
            + " train_infer_correction.filters[0].kl_high is required'",
        "train_infer_correction: {filters: [1]} | 'run.yaml:17: train_infer_correction.filters:"
            + " expected a list of mappings, found ''[1]'''",
        "val_env_manager: {group_filter_cls: a.b.Mine} | 'run.yaml:17:"
            + " val_env_manager.group_filter_cls: expected an id such as none, or a class named"
            + " GroupFilter, found ''a.b.Mine'''",
        "val_env_manager: {llm_proxy: {proxy_type: [openai]}} | 'run.yaml:17:"
            + " val_env_manager.llm_proxy.proxy_type: expected text, found ''[openai]'''",
        "val_env_manager: {llm_proxy: openai} | 'run.yaml:17: val_env_manager.llm_proxy: expected"
            + " a mapping, found ''openai'''",
        "val_env_manager: {llm_proxy: {proxy_typ: openai}} | 'run.yaml:17: unknown key"
            + " ''val_env_manager.llm_proxy.proxy_typ''; did you mean ''proxy_type''?'",
        // names and folders
        "resume_from_checkpoint: nowhere | run.yaml:17: resume_from_checkpoint: no folder"
            + " 'nowhere'",
        "actor_infer: {model_args: {model_name_or_path: nowhere}} | 'run.yaml:17:"
            + " actor_infer.model_args.model_name_or_path: no folder ''nowhere'' here or next to"
            + " the configuration file (models are read from local folders, nothing is"
            + " downloaded)'",
        "tracker_kwargs: {log_dir: x} | 'run.yaml:17: tracker_kwargs: expected a mapping for each"
            + " tracker (console, jsonl, tensorboard, chart), found ''log_dir'''",
        // sizes that do not fit
        "val_env_manager: {group_size: 3} | 'run.yaml:4: val_batch_size: expected a multiple of"
            + " val_env_manager.num_env_groups × group_size = 1 × 3 = 3, found ''4'''",
        "val_env_manager: {generating_args: {max_new_tokens: 999}} | 'run.yaml:17:"
            + " val_env_manager.generating_args.max_new_tokens: expected at most sequence_length ="
            + " 128, found ''999'''",
        "val_env_manager: {generating_args: {min_new_tokens: 9, max_new_tokens: 8}} |"
            + " 'run.yaml:17: val_env_manager.generating_args.min_new_tokens: expected at most"
            + " max_new_tokens = 8, found ''9'''",
        "val_env_manager: {generating_args: {num_return_sequences: 4}} | 'run.yaml:17:"
            + " val_env_manager.generating_args.num_return_sequences: expected 1 (group_size says"
            + " how many episodes play the same level), found ''4'''",
        "val_env_manager: {generating_args: {repetition_penalty: 0}} | 'run.yaml:17:"
            + " val_env_manager.generating_args.repetition_penalty: expected a number above 0,"
            + " found ''0'''",
        "val_env_manager: {generating_args: {min_p: 1.5}} | 'run.yaml:17:"
            + " val_env_manager.generating_args.min_p: expected a number from 0 to 1, found"
            + " ''1.5'''",
        "'val_env_manager: {generating_args: {stop_strings: [a, \"\"]}}' | 'run.yaml:17:"
            + " val_env_manager.generating_args.stop_strings: expected texts that are not empty,"
            + " found ''[a, ]'''",
        "val_env_manager: {generating_args: {guided_choice: []}} | 'run.yaml:17:"
            + " val_env_manager.generating_args.guided_choice: expected at least one text, and none"
            + " that is empty, found ''[]'''",
        "'val_env_manager: {generating_args: {logit_bias: {5: 101}}}' | 'run.yaml:17:"
            + " val_env_manager.generating_args.logit_bias: expected token ids with numbers from"
            + " -100 to 100, found ''{5=101}'''",
        "'val_env_manager: {generating_args: {structured_outputs: {regex: a, json: b}}}' |"
            + " 'run.yaml:17: val_env_manager.generating_args.structured_outputs: expected one of"
            + " regex: a text, json: a schema, json_object: true, choice: texts, found ''{regex=a,"
            + " json=b}'''",
        "'val_env_manager: {generating_args: {structured_outputs: {regex: a}, min_new_tokens: 1}}'"
            + " | 'run.yaml:17: val_env_manager.generating_args.min_new_tokens: expected 0 where"
            + " structured_outputs is given, found ''1'''",
        "'val_env_manager: {generating_args: {allowed_token_ids: [-1]}}' | 'run.yaml:17:"
            + " val_env_manager.generating_args.allowed_token_ids: expected a list of integers of"
            + " at least 0, found ''[-1]'''",
        "'val_env_manager: {generating_args: {allowed_token_ids: []}}' | 'run.yaml:17:"
            + " val_env_manager.generating_args.allowed_token_ids: expected at least one token id,"
            + " found ''[]'''",
        "'val_env_manager: {generating_args: {guided_choice: [a], min_new_tokens: 2}}' |"
            + " 'run.yaml:17: val_env_manager.generating_args.min_new_tokens: expected 0 where"
            + " guided_choice is given, found ''2'''",
        "val_env_manager: {tags: [Frozenlake]} | 'run.yaml:17: val_env_manager.tags: ''Frozenlake''"
            + " is not in custom_envs (allowed: FrozenLake); did you mean ''FrozenLake''?'",
        "val_env_manager: {tags: []} | 'run.yaml:17: val_env_manager.tags: expected at least one"
            + " tag, found ''[]'''",
        "'val_env_manager: {num_env_groups: 4, num_groups_partition: [3]}' | 'run.yaml:17:"
            + " val_env_manager.num_groups_partition: expected numbers that add up to"
            + " num_env_groups = 4, found ''[3]'''",
        "'val_env_manager: {num_groups_partition: [2, 2]}' | 'run.yaml:17:"
            + " val_env_manager.num_groups_partition: expected a number for each of 1 tags, found"
            + " ''[2, 2]'''",
      })
  void aWrongLineIsNamed(String line, String message) {
    assertEquals(message, files().complaint(ConfigFiles.SMALL + line + "\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rollout_batch_size=6 | override 'rollout_batch_size=6': rollout_batch_size: expected a"
            + " multiple of train_env_manager.num_env_groups × group_size = 1 × 4 = 4, found '6'",
        "train_env_manager={group_size: 2, num_env_groups: 2, max_traj_per_env: 1, generating_args:"
            + " {}} | override 'train_env_manager={group_size: 2, num_env_groups: 2,"
            + " max_traj_per_env: 1, generating_args: {}}': train_env_manager.max_traj_per_env:"
            + " expected -1, or at least the episodes each environment plays a step:"
            + " rollout_batch_size / (num_env_groups × group_size) = 2, found '1'",
        "val_env_manager={num_env_groups: 1, max_traj_per_env: 3} | override"
            + " 'val_env_manager={num_env_groups: 1, max_traj_per_env: 3}':"
            + " val_env_manager.max_traj_per_env: expected -1, or at least the episodes each"
            + " environment plays a step: val_batch_size / (num_env_groups × group_size) = 4, found"
            + " '3'",
        "actor_train.training_args.learning_rat=1 | override"
            + " 'actor_train.training_args.learning_rat=1': unknown key"
            + " 'actor_train.training_args.learning_rat'; did you mean 'learning_rate'?",
        "val_batch_size=-1 | override 'val_batch_size=-1': 'val_batch_size: -1' is not supported"
            + " yet",
        "exp_name=../x | override 'exp_name=../x': exp_name: expected the name of a folder, found"
            + " '../x'",
        "pretrain=nowhere | override 'pretrain=nowhere': pretrain: no folder 'nowhere' here or"
            + " next to the configuration file (models are read from local folders, nothing is"
            + " downloaded)",
        "pretrain=~ | override 'pretrain=~': pretrain is missing: it names the model folder",
        "sequence_length=~ | override 'sequence_length=~': sequence_length is missing: give"
            + " sequence_length or response_length",
        "train_env_manager.generating_args=~ | override 'train_env_manager.generating_args=~':"
            + " train_env_manager.generating_args is missing (actor_infer has none either)",
        "custom_envs.Froz.max_steps=3 | override 'custom_envs.Froz.max_steps=3':"
            + " custom_envs.Froz.env_type is missing",
        "custom_envs.FrozenLake.max_steps=~ | override 'custom_envs.FrozenLake.max_steps=~':"
            + " custom_envs.FrozenLake.max_steps is missing",
        "custom_envs.FrozenLake.env_manager_cls=my.Manager | override"
            + " 'custom_envs.FrozenLake.env_manager_cls=my.Manager':"
            + " custom_envs.FrozenLake.env_manager_cls: expected an id such as trajectory, or a"
            + " class named AgentNativeStepEnvManager, ProxyEnvManager, StepConcatEnvManager,"
            + " StepEnvManager, TrajEnvManager, VLTrajEnvManager, found 'my.Manager'",
        "custom_envs.FrozenLake.agent_runner_cls=a.B | override"
            + " 'custom_envs.FrozenLake.agent_runner_cls=a.B':"
            + " custom_envs.FrozenLake.agent_runner_cls: B is Python that runs in ROLL's"
            + " process; agent_runner: {command: […]} starts a program that plays by OpenAI's"
            + " interface, GEMRunner has the policy play",
        "custom_envs.FrozenLake.rewards={format:1} | override"
            + " 'custom_envs.FrozenLake.rewards={format:1}':1: a space is needed behind 'format:',"
            + " else it is a key without a value",
        "actor_train.training_args.lr=1e-5 | override 'actor_train.training_args.lr=1e-5': unknown"
            + " key 'actor_train.training_args.lr'; did you mean 'learning_rate'?",
        "custom_envs={} | run.yaml:9: train_env_manager.tags is missing (custom_envs is empty)",
        "max_steps=2000000000 | override 'max_steps=2000000000': max_steps: expected at most"
            + " 2147483647 optimizer steps, found '4000000000'",
      })
  void aWrongOverrideIsNamed(String override, String message) {
    assertEquals(message, complaint(override));
  }

  @Test
  void ofAMissingKeyTheUsersOwnFileIsNamed() {
    ConfigFiles files = files();
    files.write("base.yaml", ConfigFiles.SMALL);
    assertEquals(
        "run.yaml: train_env_manager.tags is missing (custom_envs has FrozenLake, Other)",
        files.complaint(
            "defaults: [base]\ncustom_envs: {Other: {env_type: frozen_lake, max_steps: 5}}\n"));
    assertEquals(
        "run.yaml:2: train_env_manager.tags is missing (custom_envs has FrozenLake, Other)",
        files.complaint(
            """
            defaults: [base]
            train_env_manager: {group_size: 2}
            custom_envs: {Other: {env_type: frozen_lake, max_steps: 5}}
            """));
  }

  @Test
  void aFreeVariableMustBeReferredTo() {
    ConfigFiles files = files();
    String used = ConfigFiles.SMALL + "turns: 7\nexp_name2: ${turns}\n";
    assertEquals(
        "run.yaml:18: unknown key 'exp_name2'; did you mean 'exp_name'?", files.complaint(used));
    assertEquals(
        "run.yaml:17: unknown key 'turns'", files.complaint(ConfigFiles.SMALL + "turns: 7\n"));
    assertEquals(
        7,
        files
            .load(ConfigFiles.SMALL + "turns: 7\n", "custom_envs.FrozenLake.max_steps=${turns}")
            .run()
            .rollout()
            .customEnvs()
            .values()
            .iterator()
            .next()
            .limits()
            .maxSteps());
  }

  @Test
  void complaintsAreOneLine() {
    String text = ConfigFiles.SMALL + "output_dir: |\n  a\n  b\ngamma: |\n  x\n  y\n";
    assertFalse(files().complaint(text).contains("\n"));
  }

  @Test
  void eachOfSeveralHasAName() {
    String teacher = "teachers: {\"\": {tag_included: [FrozenLake]}}\n";
    assertEquals(
        "run.yaml:17: teachers: expected a name for each, found ''",
        files().complaint(ConfigFiles.SMALL + teacher));
  }

  @Test
  void productsThatNoLongHoldsAreOneLine() {
    String most = "=2147483647";
    String batch = "actor_train.training_args.";
    for (List<String> keys :
        List.of(
            List.of("max_steps" + most, "ppo_epochs" + most),
            List.of(
                batch + "per_device_train_batch_size" + most,
                batch + "gradient_accumulation_steps" + most,
                "actor_train.device_mapping=[0,1,2,3,4,5,6,7]",
                "num_gpus_per_node=8"))) {
      String found = files().complaint(ConfigFiles.SMALL, keys.toArray(String[]::new));
      assertTrue(found.contains("2147483647"), found);
      assertEquals(1, found.lines().count(), found);
    }
  }
}
