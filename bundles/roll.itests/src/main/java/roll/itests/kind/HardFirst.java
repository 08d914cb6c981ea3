package roll.itests.kind;

/** A curriculum without options. */
public final class HardFirst implements Curriculum {}
