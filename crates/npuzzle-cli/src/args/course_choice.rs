//! The course that `--course` names.

use npuzzle_courses::{Course, VariantCourse};

/// A course that `--course` names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CourseChoice {
    Standard(&'static Course),
    Variant(VariantCourse),
}

impl CourseChoice {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            CourseChoice::Standard(course) => course.name,
            CourseChoice::Variant(course) => course.name,
        }
    }

    pub(crate) const fn standard(&self) -> Option<&Course> {
        match self {
            CourseChoice::Standard(course) => Some(course),
            CourseChoice::Variant(_) => None,
        }
    }
}
