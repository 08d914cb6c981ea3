package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.loss.LossSettings;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Divergence;
import roll.api.loss.TrainInferCorrection.Estimate;
import roll.api.loss.TrainInferCorrection.Filter;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.loss.TrainInferCorrection.Weight;
import roll.runtime.config.LoadedConfig;

/**
 * Options of {@code verl-project/verl@1dda039b:verl/trainer/ppo/rollout_corr_helper.py}, whose k1
 * is {@code −(ℓ_old − ℓ_rollout)}.
 */
class VerlCorrectionTest {
  private static final String CORRECTION = "algorithm.rollout_correction.";

  private final VerlFiles verl;

  VerlCorrectionTest(@TempDir Path folder) {
    this.verl = new VerlFiles(folder);
  }

  /** Kept where .5 ≤ π_rollout / π_train ≤ 4, so where .25 ≤ π_train / π_rollout ≤ 2. */
  @Test
  void theBoundsOfK1AreThoseOfTheReciprocal() {
    Range range = new Range(.25, 2);
    for (String[] names :
        new String[][] {
          {"token_k1", "TOKEN"}, {"seq_mean_k1", "GEOMETRIC"}, {"seq_sum_k1", "SEQUENCE"}
        }) {
      assertEquals(
          List.of(new Filter(Level.valueOf(names[1]), range, null, null)),
          correction("rollout_rs=" + names[0], "rollout_rs_threshold=0.5_4.0").filters());
    }
    assertEquals(
        List.of(new Filter(Level.TOKEN, new Range(.5, 2), null, null)),
        correction("rollout_rs=token_k1", "rollout_rs_threshold=2.0").filters());
  }

  @Test
  void everyNameHasItsBoundOrAllTheSame() {
    assertEquals(
        List.of(
            new Filter(Level.TOKEN, new Range(.25, 2), null, null),
            divergence(Level.MAX, Estimate.K2, 2.5),
            divergence(Level.SEQUENCE, Estimate.K3, 3)),
        correction(
                "rollout_rs='token_k1,seq_max_k2,seq_sum_k3'",
                "rollout_rs_threshold='0.5_4.0,2.5,3'")
            .filters());
    assertEquals(
        List.of(
            divergence(Level.TOKEN, Estimate.K2, .5), divergence(Level.GEOMETRIC, Estimate.K3, .5)),
        correction("rollout_rs='token_k2, seq_mean_k3'", "rollout_rs_threshold=0.5").filters());
  }

  private static Filter divergence(Level level, Estimate kind, double bound) {
    return new Filter(level, null, null, new Divergence(kind, bound));
  }

  @Test
  void aTextOfTwoBoundsIsIcePop() {
    assertEquals(
        new Weight(Level.TOKEN, .5, 4, false),
        correction("rollout_is=token", "rollout_is_threshold=0.5_4.0").weight());
    assertEquals(
        new Weight(Level.SEQUENCE, 2, true),
        correction("rollout_is=sequence", "rollout_is_batch_normalize=true").weight());
  }

  /** verl's PPO in bypass mode filters at each update, and its ratio is the weight. */
  @Test
  void withBypassTheCurrentPolicyIsCompared() {
    LossSettings clipped =
        loss(
            "bypass_mode=true",
            "rollout_is=token",
            "rollout_rs=token_k2",
            "rollout_rs_threshold=1");
    assertEquals("ppo", clipped.loss());
    assertEquals(
        new TrainInferCorrection(null, List.of(divergence(Level.TOKEN, Estimate.K2, 1)), true),
        clipped.correction());
    LossSettings reinforced =
        loss("bypass_mode=true", "loss_type=reinforce", "rollout_is=sequence");
    assertEquals("reinforce", reinforced.loss());
    assertEquals(
        new TrainInferCorrection(new Weight(Level.SEQUENCE, 2, false), List.of(), true),
        reinforced.correction());
    LossSettings plain = loss("bypass_mode=true");
    assertEquals(TrainInferCorrection.NONE, plain.correction());
  }

  @Test
  void whatBypassIgnoresIsSaid() {
    List<String> notices =
        verl.load(
                CORRECTION + "bypass_mode=true",
                CORRECTION + "rollout_is=token",
                "actor_rollout_ref.actor.policy_loss.loss_mode=gspo")
            .notices();
    assertTrue(notices.toString().contains("rollout_is' has no effect here"), notices.toString());
    assertTrue(notices.toString().contains("loss_mode' has no effect here"), notices.toString());
    LoadedConfig without = verl.load(CORRECTION + "loss_type=reinforce");
    assertEquals("ppo", without.run().algorithm().loss().loss());
    assertTrue(without.notices().toString().contains("loss_type' has no effect here"));
    assertFalse(verl.load().notices().toString().contains("rollout_correction"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rollout_rs=seq_max_k1 | rollout_rs: expected token, seq_mean, seq_sum with _k1, _k2, _k3,"
            + " seq_max with _k2, _k3, found 'seq_max_k1'",
        "rollout_rs='token_k1,geometric' | rollout_rs: expected token, seq_mean, seq_sum with _k1,"
            + " _k2, _k3, seq_max with _k2, _k3, found 'geometric'",
        "rollout_rs=token_k1 rollout_rs_threshold='1,2,3' | rollout_rs_threshold: expected one"
            + " bound or as many as rollout_rs has names, 1, found '1,2,3'",
        "rollout_rs=token_k1 rollout_rs_threshold=4.0_2.0 | rollout_rs_threshold: expected two"
            + " positive numbers lower_upper, found '4.0_2.0'",
        "rollout_rs=token_k2 rollout_rs_threshold=1.5_2.5 | rollout_rs_threshold: expected a"
            + " positive number for token_k2, found '1.5_2.5'",
        "rollout_is=token rollout_is_threshold=-1 | rollout_is_threshold: expected a positive"
            + " number, found '-1'",
      })
  void whatIsWrongIsSaid(String options, String message) {
    List<String> given = new ArrayList<>(List.of(options.split(" ", -1)));
    if (!options.contains("threshold")) {
      given.add("rollout_rs_threshold=2");
    }
    String complaint = verl.complaint(written(given.toArray(new String[0])));
    assertTrue(complaint.endsWith(CORRECTION + message), complaint);
  }

  private TrainInferCorrection correction(String... options) {
    return loss(options).correction();
  }

  private LossSettings loss(String... options) {
    return verl.run(written(options)).algorithm().loss();
  }

  private static String[] written(String... options) {
    return Arrays.stream(options).map(CORRECTION::concat).toArray(String[]::new);
  }
}
