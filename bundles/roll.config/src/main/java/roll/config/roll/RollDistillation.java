package roll.config.roll;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.config.tree.YamlTree;

/**
 * Translates files of ROLL's on-policy distillation, which are those of the RLVR pipeline with
 * other names of roles. The teacher alone judges; rewards are but measured.
 */
final class RollDistillation {
  private static final String TEACHER = "teacher";
  private static final String ESTIMATOR = "adv_estimator";

  private RollDistillation() {}

  /** Replaces the keys of the pipeline by ours. */
  static void translate(PipelineFile file) {
    file.draft()
        .notice(
            "a file of ROLL's on-policy distillation: ./roll train runs it, with student_train as"
                + " actor_train, student_infer as actor_infer and teacher as reference or"
                + " teachers");
    file.refuse("pure_opd_pipeline_type", "rlvr", "an agentic file names its custom_envs");
    file.refuse("use_opd", false, "rewards have no part in the advantages");
    file.take("is_pure_opd");
    teacher(file);
    file.move("student_train", "actor_train", null);
    file.move("student_infer", "actor_infer", null);
    new RollRlvr(file).translateRollouts();
    estimator(file);
  }

  private static void teacher(PipelineFile file) {
    file.put("enable_reference", true);
    if (!isTeacher(file, TEACHER)) {
      teachers(file);
      return;
    }
    file.refuse(TEACHER + ".tag_included", List.of(), "the teacher judges all rows");
    refuseCoefficient(file, TEACHER);
    file.move(TEACHER, "reference", null);
  }

  private static boolean isTeacher(PipelineFile file, String path) {
    return file.get(path + ".model_args") != null;
  }

  private static void refuseCoefficient(PipelineFile file, String teacher) {
    file.refuse(teacher + ".opd_kl_coef", 1.0, "the divergence has no coefficient");
  }

  /** Each teacher judges the domains in which one of its tags is. */
  private static void teachers(PipelineFile file) {
    Map<String, @Nullable Object> teachers = YamlTree.mapping(file.get(TEACHER));
    if (teachers == null
        || teachers.isEmpty()
        || !teachers.keySet().stream().allMatch(name -> isTeacher(file, TEACHER + "." + name))) {
      throw file.wrong(
          TEACHER,
          "expected one teacher, with model_args, or several by name, each with model_args and"
              + " tag_included");
    }
    Map<String, @Nullable Object> domains = new RlvrRewards(file, "").domainsByTag();
    for (String name : List.copyOf(teachers.keySet())) {
      String teacher = TEACHER + "." + name;
      refuseCoefficient(file, teacher);
      file.take(teacher + ".data_args.template");
      Set<String> own = new LinkedHashSet<>();
      for (String tag : file.texts(teacher + ".tag_included")) {
        if (!domains.containsKey(tag)) {
          throw file.wrong(
              teacher + ".tag_included",
              "expected tags of rewards (%s), found '%s'"
                  .formatted(String.join(", ", domains.keySet()), tag));
        }
        own.add(String.valueOf(domains.get(tag)));
      }
      file.move(teacher, "teachers." + name, null);
      file.put("teachers." + name + ".tag_included", List.copyOf(own));
    }
    file.take(TEACHER);
  }

  /** ROLL sets the estimator and the discount itself, and what rewards become is not read. */
  private static void estimator(PipelineFile file) {
    Object penalty = file.get("kl_penalty");
    if (penalty != null && !"kl".equals(penalty)) {
      throw file.wrong("kl_penalty", "expected kl, which compares teacher and student");
    }
    file.drop(ESTIMATOR, "reinforce", "the estimator is distillation");
    file.put(ESTIMATOR, "distillation");
    for (String key : List.of("norm_mean_type", "norm_std_type", "gamma", "lambd")) {
      file.drop(key, null, "the teacher alone judges");
    }
  }
}
