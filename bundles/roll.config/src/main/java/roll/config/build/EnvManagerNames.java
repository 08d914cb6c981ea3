package roll.config.build;

import java.util.Map;
import java.util.TreeMap;
import roll.config.schema.Section;

/** Ids of environment managers, and the classes ROLL has in their place. */
final class EnvManagerNames {
  private static final Map<String, String> BY_CLASS =
      Map.of(
          "TrajEnvManager", "trajectory",
          "StepEnvManager", "step",
          "StepConcatEnvManager", "step_concat",
          "VLTrajEnvManager", "trajectory",
          "AgentNativeStepEnvManager", "agent_native_step",
          "ProxyEnvManager", "proxy");

  private EnvManagerNames() {}

  /**
   * Returns the filter id of {@code group_filter_cls}; none for the dotted path of ROLL's class.
   */
  static String filter(Section manager) {
    String name = manager.text("group_filter_cls");
    if (name.indexOf('.') < 0) {
      return name;
    }
    if (!name.endsWith(".GroupFilter")) {
      throw manager.wrong("group_filter_cls", "an id such as none, or a class named GroupFilter");
    }
    return "none";
  }

  /**
   * The id {@code env_manager_cls} of {@code environment} means: itself, unless it is the dotted
   * path of one of ROLL's classes.
   */
  static String id(Section environment) {
    String name = environment.text("env_manager_cls");
    if (name.indexOf('.') < 0) {
      return name;
    }
    String id = BY_CLASS.get(name.substring(name.lastIndexOf('.') + 1));
    if (id == null) {
      throw environment.wrong(
          "env_manager_cls",
          "an id such as trajectory, or a class named "
              + String.join(", ", new TreeMap<>(BY_CLASS).keySet()));
    }
    return id;
  }
}
