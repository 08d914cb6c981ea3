package roll.api.scoring;

/**
 * The generalized Jensen–Shannon divergence of a student's distribution {@code p} of the next token
 * and a teacher's {@code q}: with their mixture {@code m = (1 − β) p + β q} it is {@code β KL(q‖m)
 * + (1 − β) KL(p‖m)}; for β = 0 the forward divergence {@code KL(q‖p)} and for β = 1 the reverse
 * one {@code KL(p‖q)} (Agarwal et al. 2024, arXiv:2306.13649, equation 1, with the ends of {@code
 * generalized_jsd_loss} in {@code huggingface/trl@054a0dab:trl/experimental/gkd/gkd_trainer.py}).
 *
 * @param beta β, from 0 to 1
 * @param temperature positive divisor of the student's logits
 * @param teacherTemperature positive divisor of the teacher's logits
 * @param topK number of the teacher's most probable tokens to which both distributions are
 *     restricted, each normalized again; 0 for the whole vocabulary
 */
public record GeneralizedJsd(double beta, double temperature, double teacherTemperature, int topK) {
  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public GeneralizedJsd {
    if (!(beta >= 0 && beta <= 1) || !(temperature > 0) || !(teacherTemperature > 0) || topK < 0) {
      throw new IllegalArgumentException(
          "beta %s, temperatures %s and %s, top_k %d"
              .formatted(beta, temperature, teacherTemperature, topK));
    }
  }
}
